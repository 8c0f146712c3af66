import Bytes
import Cryptography
import Domain
import Expressions
import Redaction

/// Hides secrets, session values and the client's own credentials in what is printed, also where they are encoded, and what
/// expressions make of them.
final class SecretMask {
    private let redactor: Redactor?
    /// Secrets of the config that are too short for the redactor: each occurrence goes, however often it is by chance. One of
    /// fewer than `leastAnywhere` bytes would take words apart that say nothing of it: it goes where it is a whole value.
    private let short: [[UInt8]]
    private static let leastAnywhere = 4
    /// Short pieces of secrets, which stand by themselves somewhere; within other words they are there by chance.
    private var words: Set<[UInt8]> = []

    /// Hides nothing.
    init() { (redactor, short) = (nil, []) }

    /// Hides the secrets of a config.
    init(_ plan: GatewayPlan) {
        let secrets = plan.secrets.map(\.value.unsealed)
        // It lives as long as one command: nothing has to be forgotten.
        redactor = Redactor(secrets + secrets.flatMap(Self.formTexts), addedLimit: .max)
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
    convenience init(_ plan: GatewayPlan, _ input: ExplainInput) {
        self.init(plan)
        for value in input.session { addGiven(value.value) }
        for field in input.fields {
            let name = Array(field.name.utf8)
            guard SensitiveFields.isClientCredential(name.span) else { continue }
            // `Bearer xyz`, `a=1; b=2`: the parts, since a recipe may use them one by one.
            for part in field.value.split(whereSeparator: { $0 == " " || $0 == ";" || $0 == "," }) {
                let value = part.split(separator: "=", maxSplits: 1).last ?? part
                if !["bearer", "basic", "digest"].contains(part.lowercased()) { addGiven(value) }
            }
        }
    }

    /// A session's number of a digit or two would take everything apart that has such a digit, and hides nothing.
    private func addGiven(_ value: some StringProtocol) {
        if value.utf8.count >= Self.leastAnywhere { add(Array(value.utf8)) }
    }

    /// From now on this is a secret too.
    func add(_ secret: [UInt8]) {
        guard let redactor, !secret.isEmpty, !redactor.add(secret) else { return }
        words.insert(secret)
    }

    var isOff: Bool { redactor == nil }

    /// Learns what expressions make of what is hidden; `nil` when nothing is.
    var trail: SecretTrail? {
        guard let redactor else { return nil }
        return SecretTrail(
            least: Redactor.minimumLength, ranges: { [unowned self] in ranges(in: $0, redactor) },
            learn: { [unowned self] in add($0) })
    }

    func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        guard let redactor else { return bytes }
        var ranges = ranges(in: bytes.span, redactor)
        for word in words { ranges += Self.ranges(of: word, in: bytes.span, bounds: Self.isNoLetter) }
        return ranges.isEmpty ? bytes : Redactor.masked(bytes.span, ranges)
    }

    func callAsFunction(_ text: String) -> String { String(decoding: self(Array(text.utf8)), as: UTF8.self) }

    private func ranges(in text: Span<UInt8>, _ redactor: Redactor) -> [Range<Int>] {
        var ranges = redactor.ranges(in: text)
        for secret in short {
            let isTiny = secret.count < Self.leastAnywhere
            ranges += Self.ranges(of: secret, in: text, bounds: isTiny ? Self.endsValue : { _ in true })
        }
        return ranges
    }

    /// - Parameter bounds: of a byte: it may stand right before or behind.
    private static func ranges(
        of secret: [UInt8], in text: Span<UInt8>, bounds: (UInt8) -> Bool
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        guard text.count >= secret.count else { return found }
        for start in 0...text.count - secret.count {
            let end = start + secret.count
            guard ASCII.equal(text.extracting(start..<end), secret.span) else { continue }
            if start == 0 || bounds(text[start - 1]), end == text.count || bounds(text[end]) {
                found.append(start..<end)
            }
        }
        return found
    }

    private static func isNoLetter(_ byte: UInt8) -> Bool { !ASCII.isAlpha(byte) && !ASCII.isDigit(byte) }

    /// What stands around a value in a form, a query, JSON, XML, a list or a line.
    private static func endsValue(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'=&:;,<>".utf8.contains(byte) }
}
