import Bytes
import Domain

/// A content type up to the first line feed, then the body. Whatever the bytes: no trap, and what was read is the same when it
/// is written and read again.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let end = input.firstIndex(of: 0x0A) else { return 0 }
    let body = Array(input[(end + 1)...])
    guard let parts = MultipartReader.parts(of: body, contentType: input[..<end]) else { return 0 }
    let text = MultipartText(parts)
    let again = MultipartReader.parts(of: text.bytes, contentType: Array(text.contentType.utf8)[...])
    require(again == parts)
    return 0
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("line \(line)") }
}
