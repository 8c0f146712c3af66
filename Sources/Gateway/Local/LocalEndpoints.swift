import Bytes
import Domain
import HTTPWire
import JSONBytes
import Observability

/// Paths that the gateway answers itself: everything on the admin listener, `/_countersign/` on the main ones. None is
/// ever forwarded (peers 87).
enum LocalEndpoints {
    private static let prefix = Array("/_countersign/".utf8)

    static func owns(_ path: ArraySlice<UInt8>) -> Bool {
        path.starts(with: prefix) || path.elementsEqual(prefix.dropLast())
    }

    static func answer(_ exchange: Exchange, _ head: RequestHead) {
        exchange.record.outcome = .local
        if head.isAsteriskForm { return options(exchange) }
        let isAdmin = exchange.connection.role == .admin
        let path = owns(head.path) ? head.path.dropFirst(prefix.count - 1) : head.path
        guard owns(head.path) || isAdmin else { return exchange.fail(notFound) }
        let name = String(decoding: path, as: UTF8.self)
        switch (name, isAdmin) {
        case ("/livez", _): get(exchange, head) { exchange.local(200, .text, Array("ok\n".utf8)) }
        case ("/health", _):
            get(exchange, head) {
                exchange.local(200, .json, HealthReport.detail(exchange.worker))
            }
        case ("/readyz", true):
            get(exchange, head) {
                let report = HealthReport.readiness(exchange.worker)
                exchange.local(report.isReady ? 200 : 503, .json, report.body)
            }
        case ("/metrics", true):
            get(exchange, head) {
                var text: [UInt8] = []
                exchange.worker.metrics.countEvaluations()
                exchange.worker.metrics.registry.render(into: &text)
                exchange.local(200, .metrics, text)
            }
        case (_, true) where name.hasPrefix("/sessions/") && name.hasSuffix("/login"):
            login(exchange, head, String(name.dropFirst("/sessions/".count).dropLast("/login".count)))
        default: exchange.fail(notFound)
        }
    }

    private static var notFound: GatewayError { GatewayError(.notFound, detail: "no such endpoint of the gateway") }

    private static func get(_ exchange: Exchange, _ head: RequestHead, _ answer: () -> Void) {
        guard head.method == .get || head.method == .head else {
            return exchange.fail(.methodNotAllowed(allow: Array("GET, HEAD".utf8)))
        }
        answer()
    }

    /// An operator asks for a login; what was refused is forgotten.
    private static func login(_ exchange: Exchange, _ head: RequestHead, _ name: String) {
        guard head.method == .post else { return exchange.fail(.methodNotAllowed(allow: Array("POST".utf8))) }
        guard let book = exchange.runtime.sessions.first(where: { $0.plan.name == name }) else {
            return exchange.fail(GatewayError(.notFound, detail: "no such session"))
        }
        // What a person answers to `human:` comes in a field: it is short, and no log shows fields.
        do throws(GatewayError) {
            try book.operatorReset(answer: head.fields.first("countersign-answer", folding: true).map { Array($0) })
        } catch {
            return exchange.fail(error)
        }
        exchange.local(202, .json, HealthReport.session(book))
    }

    /// `OPTIONS *` asks about the server itself (RFC 9110 9.3.7).
    private static func options(_ exchange: Exchange) {
        var fields = PairBlock()
        fields.append(name: FieldName.allow, value: Array(RequestMethod.allow.utf8))
        exchange.write(status: 204, fields: fields, body: [])
    }
}

extension Exchange {
    enum LocalType {
        case text, json, metrics
        var bytes: [UInt8] {
            switch self {
            case .text: Array("text/plain; charset=utf-8".utf8)
            case .json: Array("application/json; charset=utf-8".utf8)
            case .metrics: Array("text/plain; version=0.0.4; charset=utf-8".utf8)
            }
        }
    }

    func local(_ status: Int, _ type: LocalType, _ body: [UInt8]) {
        var fields = PairBlock()
        fields.append(name: FieldName.contentType, value: type.bytes)
        fields.append(name: FieldName.cacheControl, value: Array("no-store".utf8))
        write(status: status, fields: fields, body: body)
    }
}
