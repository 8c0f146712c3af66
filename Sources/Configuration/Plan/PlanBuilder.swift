import Cryptography
import Domain
import Expressions

/// Second half of a load: resolves references, reads secrets, compiles expressions. Goes on after a problem, so that all
/// of them are reported at once.
final class PlanBuilder {
    let raw: RawConfig
    let issues: IssueSink
    let secretSource: SecretSource
    let folder: String
    /// Knows the values of the secrets once they are read.
    private(set) var scopes: Scopes
    private let functions: FunctionTable
    private let secretNames: [String]
    /// Names of path segments in all routes.
    private let parameters: [String]
    let compiler: ExpressionCompiler
    private(set) lazy var knownHosts = PlanBuilder.knownHosts(raw)
    /// One recipe for each session it is used with (`nil` name: none): `session.NAME` has other slots in each.
    var signaturePlans: [SignatureKey: SignaturePlan] = [:]
    /// What is referred to by name, as `what name`.
    var usedNames: Set<String> = []
    /// Recipes whose issues are reported.
    var failedSignatures: Set<Int> = []
    /// By index of the session.
    var sessionAttaches: [Int: AttachPlan] = [:]
    /// Tests over answers, by index of the session.
    var sessionTests: [Int: [AnswerTest]] = [:]
    /// Tests and look-ups that are warned of already, for another route.
    var warned: Set<String> = []
    /// Sessions whose logins read the body of an answer.
    var loginReaders: Set<Int> = []
    /// Where keys stand that were tried: a login and its refresh may use the same one.
    var triedKeys: Set<[Int]> = []
    /// Sessions whose captures a route or one of its signatures uses.
    var usedSessions: Set<Int> = []
    var secretValues: [String: Secret] = [:]
    /// As compiled for any session and signature; a route that has them gets its own from `sessionEnvelopes`.
    var envelopePlans: [String: EnvelopePlan] = [:]
    var sessionEnvelopes: [EnvelopeKey: EnvelopePlan] = [:]
    /// Envelopes whose issues are reported.
    var failedEnvelopes: Set<String> = []
    /// SHA-256 of the files that upstreams name, by path.
    var fileDigests: [String: [UInt8]] = [:]

    private let missingSecrets: [MissingSecret]

    /// - Parameter missingSecrets: that are an issue if an expression reads them.
    init(
        raw: RawConfig, issues: IssueSink, secrets: SecretSource, folder: String, functions: FunctionTable,
        missingSecrets: [MissingSecret]
    ) {
        self.raw = raw
        compiler = ExpressionCompiler(steps: raw.limits.steps)
        self.issues = issues
        self.folder = folder
        secretSource = secrets
        self.functions = functions
        secretNames = raw.secrets.map(\.name) + missingSecrets.map(\.name)
        self.missingSecrets = missingSecrets
        parameters = Set((raw.routes ?? []).flatMap { $0.value.parameters }).sorted()
        scopes = Scopes(secretNames: secretNames, functions: functions, parameters: parameters)
    }

    /// `nil` when something is missing without which there is no plan; an issue says what.
    func build() -> GatewayPlan? {
        let listeners = buildListeners()
        let secrets = buildSecrets()
        scopes = Scopes(
            secretNames: secretNames, functions: functions, parameters: parameters, known: secretValues)
        let upstreams = raw.upstreams.map { upstream($0) }
        for envelope in raw.envelopes { checkEnvelope(envelope) }
        let sessions = raw.sessions.map { session($0) }
        let routes = buildRoutes()
        for secret in missingSecrets where compiler.reads(secret) {
            secret.cursor.report(secret.problem, hint: secret.hint)
        }
        checkUnusedSessions()
        checkUnusedSignatures()
        warnOfNoEffect()
        checkTexts()
        guard !issues.hasErrors else { return nil }
        return GatewayPlan(
            listeners: listeners, admin: raw.admin?.value,
            access: AccessPlan(hosts: raw.hosts, origins: raw.origins), limits: raw.limits, log: raw.log, texts: texts,
            secrets: secrets, upstreams: upstreams.compactMap(\.self),
            reachability: raw.upstreams.map { reachability($0.value) }, sessions: sessions.compactMap(\.self),
            routes: routes.compactMap(\.self))
    }

    /// Index of a referenced name; unknown names are an issue with the nearest known one.
    func resolve<Value>(_ reference: Placed<String>, among named: [Named<Value>], what: String) -> Int? {
        if let index = named.firstIndex(where: { $0.name == reference.value }) {
            usedNames.insert("\(what) \(reference.value)")
            return index
        }
        reference.cursor.report(
            "no \(what) named \(Quoted.text(reference.value))",
            hint: Suggestion.hint(for: reference.value, among: named.map(\.name)) ?? "there is no \(what) in this file")
        return nil
    }

    private func buildSecrets() -> [NamedSecret] {
        raw.secrets.compactMap { named in
            guard let secret = secretSource.load(named) else { return nil }
            secretValues[named.name] = secret
            return NamedSecret(name: named.name, value: secret)
        }
    }

    private var texts: TextOverrides {
        var languages: [String: [String: String]] = [:]
        for language in raw.texts {
            for kind in language.value { languages[language.name, default: [:]][kind.name] = kind.value }
        }
        return TextOverrides(byLanguage: languages)
    }
}

/// An envelope together with what its `session` and `vars` are of.
struct EnvelopeKey: Hashable {
    enum Variables: Hashable {
        case none
        case signature(Int)
        /// Of a login step, with their names.
        case step([String])
    }
    var envelope: Int
    var session: Int?
    var variables = Variables.none
}

/// A recipe together with the session whose captures it sees.
struct SignatureKey: Hashable {
    var signature: Int
    var session: Int?
}
