package import Cryptography

/// A checked, compiled config: nothing in it can be invalid. Immutable and shared; an exchange keeps the plan it
/// started with, a reload swaps the whole.
package final class GatewayPlan: Sendable {
    /// Where clients connect; at least one.
    package let listeners: [ListenerPlan]
    /// Health, metrics, the operator's login. `nil`: none.
    package let admin: ListenerPlan?
    /// Which hosts, origins and peers may ask.
    package let access: AccessPlan
    package let limits: GatewayLimits
    package let log: LogPlan
    package let texts: TextOverrides
    package let secrets: [NamedSecret]
    package let upstreams: [UpstreamPlan]
    /// By position of the upstream, as many as there are.
    package let reachability: [ReachabilityPlan]
    /// Routes name them by position, as they do upstreams.
    package let sessions: [SessionPlan]
    /// In the order of the config: the first match wins.
    package let routes: [RoutePlan]

    package init(
        listeners: [ListenerPlan], admin: ListenerPlan?, access: AccessPlan, limits: GatewayLimits, log: LogPlan,
        texts: TextOverrides, secrets: [NamedSecret], upstreams: [UpstreamPlan], reachability: [ReachabilityPlan],
        sessions: [SessionPlan], routes: [RoutePlan]
    ) {
        self.listeners = listeners
        self.admin = admin
        self.access = access
        self.limits = limits
        self.log = log
        self.texts = texts
        self.secrets = secrets
        self.upstreams = upstreams
        self.reachability = reachability
        self.sessions = sessions
        self.routes = routes
    }
}

/// Where a listener binds. Port 0 takes any free port.
package enum ListenerPlan: Sendable, Equatable {
    case tcp(host: String, port: UInt16)
    case unix(path: String)
}

/// Who may call: Host names beside localhost and the bound addresses, and browser origins.
package struct AccessPlan: Sendable, Equatable {
    /// `name` (any port) or `name:port`, lower case.
    package var hosts: [String]
    /// `https://app.example[:port]`, lower case.
    package var origins: [String]
    package init(hosts: [String] = [], origins: [String] = []) {
        self.hosts = hosts
        self.origins = origins
    }
}

package struct NamedSecret: Sendable {
    package var name: String
    package var value: Secret
    package init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }
}

package struct LogPlan: Sendable, Equatable {
    package enum Level: Int, Sendable, CaseIterable { case debug, info, warning, error }
    package enum Access: Sendable, Equatable { case stdout, stderr, off, file(String) }
    package var level: Level = .info
    package var access: Access = .stdout
    package init() {}
}

/// Texts that replace the built-in ones: language (`en`, `zh-Hans`) to kind (`offline`) to text.
package struct TextOverrides: Sendable, Equatable {
    /// Language, then kind of error, then text.
    package var byLanguage: [String: [String: String]]
    package init(byLanguage: [String: [String: String]] = [:]) { self.byLanguage = byLanguage }
}
