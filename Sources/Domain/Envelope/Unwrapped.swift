import Bytes
package import JSONBytes

/// The body of an answer on its way through the unwrap steps: a range of bytes, which are copied only where a step changes
/// them.
package struct Unwrapped {
    /// Without content coding.
    package internal(set) var body: [UInt8]
    /// `body`, or what a step made of it.
    package internal(set) var bytes: [UInt8]
    /// The part that is left.
    package internal(set) var range: Range<Int>
    /// The JSON in that part, when a step has parsed it already.
    package internal(set) var value: JSONValue?

    init(_ body: [UInt8]) {
        self.body = body
        bytes = body
        range = 0..<body.count
    }

    var rest: ArraySlice<UInt8> { bytes[range] }

    mutating func replace(_ bytes: [UInt8]) {
        self.bytes = bytes
        range = 0..<bytes.count
        value = nil
    }

    mutating func narrow(to range: Range<Int>) {
        self.range = range
        value = nil
    }

    /// Parses what is left, if it is JSON to its end.
    mutating func parsed() -> JSONValue? {
        if let value { return value }
        if range.upperBound < bytes.count { replace(Array(rest)) }
        value = try? JSONDocument(parsing: bytes, from: range.lowerBound).root
        return value
    }

    mutating func descend(to inner: JSONValue) {
        bytes = inner.document.bytes
        range = inner.startOffset..<inner.endOffset
        value = inner
    }
}
