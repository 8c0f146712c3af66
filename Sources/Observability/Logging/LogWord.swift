import Bytes
import JSONBytes

/// A constant word in a log line, with its JSON ready. Being made from a `StaticString`, it cannot hold what a peer sent.
/// Keep it in a `static let`.
package struct LogWord: Sendable {
    package let text: [UInt8]
    /// Quoted and escaped.
    let json: [UInt8]

    package init(_ word: StaticString) {
        let bytes = word.bytes
        var writer = JSONWriter()
        writer.string(bytes.span)
        text = bytes
        json = writer.bytes
    }
}
