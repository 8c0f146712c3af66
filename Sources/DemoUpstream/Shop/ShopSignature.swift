import Bytes
import Cryptography

/// The shop's request signature: values of the form sorted by name, then `time`, then the key; MD5 as lower-case hex.
enum ShopSignature {
    enum Verdict { case good, wrong, late }

    /// Signature first, clock second; no limit for a time ahead.
    static func check(_ form: PHPForm, key: [UInt8], now: Int64, window: Int64) -> Verdict {
        guard let sign = form["sign"]?.text, ConstantTime.equal(sign.span, expected(form, key: key).span) else {
            return .wrong
        }
        let age = now.subtractingReportingOverflow(PHPNumber.leadingInteger(form.text("time")))
        // An overflow needs a time before the dawn of time: late too.
        return age.overflow || age.partialValue > window ? .late : .good
    }

    static func expected(_ form: PHPForm, key: [UInt8]) -> [UInt8] {
        let digest = Digest.hash(.md5, signedText(form, key: key).span)
        return Hex.encode(digest.span)
    }

    static func signedText(_ form: PHPForm, key: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for field in PHPKeyOrder.sorted(form.fields) where !isSignatureField(field.name) {
            text.append(contentsOf: field.value.joined)
        }
        text.append(contentsOf: form["time"]?.joined ?? [])
        text.append(contentsOf: key)
        return text
    }

    private static func isSignatureField(_ name: [UInt8]) -> Bool {
        name == [0x74, 0x69, 0x6D, 0x65] || name == [0x73, 0x69, 0x67, 0x6E]
    }
}
