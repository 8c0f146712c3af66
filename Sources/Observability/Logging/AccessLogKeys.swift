import Bytes

/// The keys of an access log line, ready to copy: one array for all, so that a line costs one reference.
struct AccessLogKeys {
    enum Key: Int, CaseIterable {
        case time, id, remote, method, path, query, route, upstream, session, status, upstreamStatus, outcome, error
        case bytesIn, bytesOut, duration, upstreamDuration, attempts, replayed, notReplayed, notRetried

        var name: StaticString {
            switch self {
            case .time: "time"
            case .id: "id"
            case .remote: "remote"
            case .method: "method"
            case .path: "path"
            case .query: "query_keys"
            case .route: "route"
            case .upstream: "upstream"
            case .session: "session"
            case .status: "status"
            case .upstreamStatus: "upstream_status"
            case .outcome: "outcome"
            case .error: "error"
            case .bytesIn: "bytes_in"
            case .bytesOut: "bytes_out"
            case .duration: "duration_ms"
            case .upstreamDuration: "upstream_ms"
            case .attempts: "attempts"
            case .replayed: "replayed"
            case .notReplayed: "not_replayed"
            case .notRetried: "not_retried"
            }
        }
    }

    /// `"time":"id":...`
    let text: [UInt8]
    /// Where each key begins in `text`; then the end.
    private let starts: [Int]

    init() {
        var text: [UInt8] = []
        var starts = [0]
        for key in Key.allCases {
            text.append(0x22)
            text.append(contentsOf: key.name.bytes)
            text.append(contentsOf: [0x22, 0x3A])
            starts.append(text.count)
        }
        self.text = text
        self.starts = starts
    }

    func range(of key: Key) -> Range<Int> { starts[key.rawValue]..<starts[key.rawValue + 1] }
}
