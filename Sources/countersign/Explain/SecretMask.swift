import Bytes
import Cryptography
import Domain
import Observability

/// Hides secrets, session values and the client's own credentials in what is printed, also where they are encoded.
struct SecretMask {
    private let redactor: Redactor?
    /// Secrets of the config that are too short for the redactor: each occurrence goes, however often it is by chance.
    private let short: [[UInt8]]

    /// Hides nothing.
    init() { (redactor, short) = (nil, []) }

    /// Hides the secrets of a config.
    init(_ plan: GatewayPlan) {
        let secrets = plan.secrets.map(\.value.unsealed)
        redactor = Redactor(secrets + secrets.flatMap(Self.formTexts))
        short = secrets.filter { !$0.isEmpty && $0.count < Redactor.minimumLength }
    }

    /// A secret as OAuth 2.0 puts it into `Basic` credentials (RFC 6749 2.3.1): form-encoded first, base 64 around it.
    private static func formTexts(_ secret: [UInt8]) -> [[UInt8]] {
        [false, true].map { spaceIsPlus in
            var text: [UInt8] = []
            Percent.encode(secret.span, spaceIsPlus: spaceIsPlus, into: &text)
            return text
        }
    }

    /// Also what the command line brought.
    init(_ plan: GatewayPlan, _ input: ExplainInput) {
        self.init(plan)
        for value in input.session { redactor?.add(Array(value.value.utf8)) }
        for field in input.fields {
            let name = Array(field.name.utf8)
            guard SensitiveFields.isClientCredential(name.span) else { continue }
            // `Bearer xyz`, `a=1; b=2`: the parts, since a recipe may use them one by one.
            for part in field.value.split(whereSeparator: { $0 == " " || $0 == ";" || $0 == "," }) {
                let value = part.split(separator: "=", maxSplits: 1).last ?? part
                if !["bearer", "basic", "digest"].contains(part.lowercased()) { redactor?.add(Array(value.utf8)) }
            }
        }
    }

    /// From now on this is a secret too.
    func add(_ secret: [UInt8]) { redactor?.add(secret) }

    var isOff: Bool { redactor == nil }

    func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        var text = redactor?.redact(bytes.span) ?? bytes
        for secret in short { text = Self.replacing(secret, in: text) }
        return text
    }

    func callAsFunction(_ text: String) -> String { String(decoding: self(Array(text.utf8)), as: UTF8.self) }

    private static func replacing(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index...].starts(with: secret) {
                output.append(contentsOf: "***".utf8)
                index += secret.count
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }
}
