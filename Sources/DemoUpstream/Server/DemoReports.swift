import Bytes
import HTTPWire
import JSONBytes

/// Answers about the request itself: what arrived at the upstream.
enum DemoReports {
    /// `{"bytes":N,"sha256":"..."}`.
    static func sink(_ body: DemoBody) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("bytes")
        writer.uint(body.count)
        writer.key("sha256")
        writer.string(body.finishDigest().span)
        writer.endObject()
        return writer.take()
    }

    /// Method, target, fields in order, and the body as text.
    static func echo(_ head: RequestHead, _ body: DemoBody) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("method")
        writer.string(head.method.bytes.span)
        writer.key("target")
        writer.string(head.target.span)
        writer.key("fields")
        writer.beginArray()
        for index in 0..<head.fields.count {
            writer.beginArray()
            writer.string(head.fields.name(at: index).span)
            writer.string(head.fields.value(at: index).span)
            writer.endArray()
        }
        writer.endArray()
        writer.key("body")
        writer.string(body.kept.span)
        writer.endObject()
        return writer.take()
    }
}
