import Bytes
import Observability
import Redaction

/// The first byte says how long the secret is, the secret follows, the rest is the text.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let first = input.first else { return 0 }
    let length = min(Int(first & 31) + Redactor.minimumLength, input.count - 1)
    let secret = Array(input[1..<1 + length])
    // A mask inside a secret could be completed by the mask that replaces another.
    guard length >= Redactor.minimumLength, !secret.contains(0x2A) else { return 0 }
    let text = Array(input[(1 + length)...])
    let redactor = Redactor([secret])
    for candidate in [text, text + secret, secret + text, Hex.encode(secret.span) + text] {
        let output = redactor.redact(candidate.span) ?? candidate
        if contains(output, secret) { fatalError("the secret survived") }
    }
    _ = AccessTarget(input.span)
    return 0
}

private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard text.count >= part.count else { return false }
    for start in 0...text.count - part.count where text[start..<start + part.count].elementsEqual(part) { return true }
    return false
}
