import Bytes
import Domain
import HTTPWire

/// Cross-origin requests of the origins that the config lists (the CORS protocol of the Fetch standard). Never `*`, and
/// never with credentials: the gateway keeps those itself.
extension Exchange {
    /// Seconds that a browser may remember a preflight; the request itself is checked every time.
    private static let maxAge = Array("600".utf8)
    /// What a page may read beside the fields that every page may.
    private static let exposed = Array(
        ("Countersign-Envelope, Countersign-Outcome, Countersign-Replay, Countersign-Retry, Proxy-Status, Retry-After, "
            + "Upstream-Request-Id, X-Request-Id").utf8)
    private static let requestMethod: StaticString = "access-control-request-method"

    /// A browser asks before it sends the request itself. The upstream is not asked: its answer would open its own origin.
    var isPreflight: Bool {
        origin != nil && head?.method == .options && head?.fields.first(Self.requestMethod, folding: true) != nil
    }

    /// Whatever the route: the request itself then gets its 404 or 405, which the page can read.
    func answerPreflight(_ head: RequestHead) {
        record.outcome = .local
        var fields = PairBlock()
        fields.append(name: Array("Access-Control-Allow-Methods".utf8), value: Array(RequestMethod.allow.utf8))
        if let names = head.fields.first("access-control-request-headers", folding: true),
            CommaList.holdsTokens(names.span)
        {
            fields.append(name: Array("Access-Control-Allow-Headers".utf8), value: Array(names))
        }
        fields.append(name: Array("Access-Control-Max-Age".utf8), value: Self.maxAge)
        // A page of the internet may only call a private address that says so.
        if head.fields.first("access-control-request-private-network", folding: true) != nil {
            fields.append(name: Array("Access-Control-Allow-Private-Network".utf8), value: Array("true".utf8))
        }
        write(status: 204, fields: fields, body: [])
    }

    /// On every answer to a listed origin, errors too: without them a page could not read why it failed.
    func appendOriginFields(_ output: inout [UInt8]) {
        guard let origin else { return }
        ResponseHeadWriter.appendField("Access-Control-Allow-Origin", value: origin.span, to: &output)
        ResponseHeadWriter.appendField("Access-Control-Expose-Headers", value: Self.exposed.span, to: &output)
        ResponseHeadWriter.appendField("Vary", value: Array("Origin".utf8).span, to: &output)
    }
}
