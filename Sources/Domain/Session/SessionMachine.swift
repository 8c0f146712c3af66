/// Life of one session: who may go, who waits, when the one login runs. Decides only; the driver does.
///
/// The invariants (tests play random events against them):
/// - at most one flight (login under way), whoever asks for it;
/// - each exchange that arrives gets exactly one verdict: proceed, fail, or park followed by one release or failure;
/// - the generation only grows, and a rejection counts only when it is about the current generation: stragglers whose
///   refusal comes after the next login just go on with the new credential;
/// - a failed login fails all waiters with one cause and is remembered; refused credentials stop everything until an
///   operator or a new config acts (accounts get locked otherwise).
///
/// Login traffic itself never passes through here: it would wait for itself.
package struct SessionMachine: Sendable {
    /// Names an exchange; unique among the exchanges of this session.
    package typealias ExchangeID = UInt64
    /// Names a login; a result under another name is late and ignored.
    package typealias Flight = UInt64

    enum State {
        /// No credential and no flight. Next: `loggingIn`.
        case vacant
        /// No credential serves; exchanges wait for the flight. Next: `ready`, `backingOff`, `refused`.
        case loggingIn(Flight)
        /// The credential serves. Next: `refreshing` (ahead of its expiry), `loggingIn` (expired or rejected),
        /// `backingOff` (the same, but no login is allowed yet), `refused` (the same, after a refused refresh), `vacant`.
        case ready(CredentialSnapshot)
        /// The old credential serves while the flight gains the next. Next: `ready` (either outcome), `loggingIn` (the
        /// old one expired or was rejected: the same flight goes on), `vacant`.
        case refreshing(CredentialSnapshot, Flight)
        /// No credential; until the time, exchanges fail with the remembered cause. Next: `loggingIn` (an exchange or
        /// `loginAt`), `vacant`.
        case backingOff(until: UInt64, cause: GatewayError)
        /// No credential and wrong credentials: exchanges fail at once. Next: `loggingIn` (operator).
        case refused(GatewayError)
    }

    package internal(set) var limits: SessionLimits
    let hasLogin: Bool
    var state: State
    var waitlist = SessionWaitlist()
    var window = LoginWindow()
    /// Logins that took the session back from somebody.
    var takeovers = LoginWindow()
    /// The flight that waits for a person, and what that person has to do.
    var awaited: (flight: Flight, cause: GatewayError)?
    /// Of the newest credential ever held.
    package internal(set) var generation: UInt64 = 0
    var flights: Flight = 0
    /// Fingerprint of the credential that was rejected last, until a login brings another.
    var rejected: [UInt8] = []
    /// The upstream has taken the newest credential at least once since it was gained. One of an earlier run counts as taken.
    var hasServed = true
    /// The newest credential came by a refresh.
    var isRefreshed = false
    /// The next renewal has to be a full login: a refresh brought what nobody took, or somebody else has the session.
    package internal(set) var wantsLogin = false
    /// An upstream that hands out the rejected credential once more says that it lives: the refusal was no expiry, or the
    /// renewal has revived it. A file that still holds it says nothing.
    let revives: Bool
    /// The newest credential is the rejected one again, and the upstream has yet to take it.
    package internal(set) var isRevived = false
    /// Generation of the last login; later ones came with ordinary answers.
    var lineage: UInt64 = 0
    /// By slot: which request the newest value of an update came with.
    var updateOrders: [Int: UInt64] = [:]
    var endOrder: UInt64 = 0
    /// Login failures in a row.
    var failures = 0
    /// Earliest next login after a failure; monotonic nanoseconds.
    var notBefore: UInt64 = 0
    /// When the login is due that nobody has to ask for: the refresh ahead of the expiry, or the next try after one that
    /// failed while somebody wanted the session.
    package internal(set) var loginAt: UInt64?
    /// A refused refresh, kept while the old credential still serves.
    var refusal: GatewayError?
    /// Why the last login failed; `nil` after one that did not.
    package internal(set) var lastError: GatewayError?
    package internal(set) var logins = LoginCounts()

    /// A session with a login recipe: starts without a credential and logs in when the first exchange asks.
    package init(limits: SessionLimits, revives: Bool = true) {
        self.limits = limits
        self.revives = revives
        hasLogin = true
        state = .vacant
    }

    /// A session without a login (static attach): always ready, under generation 0.
    package init(withoutLogin grant: CredentialGrant, limits: SessionLimits = SessionLimits()) {
        self.limits = limits
        revives = false
        hasLogin = false
        state = .ready(CredentialSnapshot(generation: 0, grant: grant, obtainedAt: 0))
    }
}

extension SessionMachine {
    /// What one exchange is told.
    package enum Verdict: Sendable {
        case proceed(CredentialSnapshot)
        /// Wait: a release or a failure follows. At the deadline (monotonic) the driver reports `waiterExpired`.
        case park(deadline: UInt64)
        case failExchange(GatewayError)
    }

    /// Verdict for an exchange, plus the flight that its arrival sets off, if any.
    package struct Arrival: Sendable {
        package var verdict: Verdict
        /// Start a login now and report its end under this name.
        package var startLogin: Flight?
    }

    package enum Action: Sendable {
        case startLogin(Flight)
        /// Its result would be ignored: stop it.
        case cancelLogin(Flight)
        /// In the order of arrival.
        case release([ExchangeID], CredentialSnapshot)
        case failAll([ExchangeID], GatewayError)
        case failExchange(ExchangeID, GatewayError)
        /// Report `loginDue` at this time (monotonic) or later; replaces an earlier one.
        case scheduleLogin(at: UInt64)
    }

    /// Since the start of the process.
    package struct LoginCounts: Sendable, Equatable {
        package var started: UInt64 = 0
        package var succeeded: UInt64 = 0
        package var failed: UInt64 = 0
        /// Among the failed: the upstream said no for good.
        package var refused: UInt64 = 0
        package init() {}
    }
}
