import Bytes
import HTTPWire

/// The request that `explain` is asked about, as a client would send it, and what the run would know.
package struct ExplainInput {
    package var method: String
    /// A target (`/api/x?y=1`) or a whole URL, whose authority becomes `Host`.
    package var url: String
    /// In order; `Host` replaces the usual one, framing fields are ignored (they follow from the body).
    package var fields: [(name: String, value: String)] = []
    /// `nil`: none.
    package var body: [UInt8]?
    /// Captures of the session that are known.
    package var session: [(name: String, value: String)] = []
    /// Unix time, `now`.
    package var now: (seconds: Int64, nanoseconds: Int32) = (0, 0)
    /// `nil`: a random one.
    package var nonce: [UInt8]?
    package var device: [UInt8] = []
    /// What the upstream would answer; `nil`: only the request is explained.
    package var answer: SampleAnswer?
    /// Name of the step of a login that `answer` is for; `nil`: there is only one.
    package var step: String?

    package init(method: String, url: String) {
        self.method = method
        self.url = url
    }

    /// Every capture of a session: as given, or a placeholder.
    func captures(of session: SessionPlan) -> [(name: String, value: [UInt8], isGiven: Bool)] {
        session.captureNames.map { name in
            let given = self.session.last { $0.name == name }?.value
            return (name, Array((given ?? "<session.\(name)>").utf8), given != nil)
        }
    }

    /// The head as bytes. Whatever is wrong in it is for the parser to find: line ends in a value would make a second field.
    func headBytes(usualHost: String) -> [UInt8] {
        let (authority, target) = split
        var host = authority ?? usualHost
        var text = ""
        for field in fields {
            switch field.name.lowercased() {
            case "host": host = field.value
            case "content-length", "transfer-encoding": continue
            default: text += "\(field.name): \(field.value)\r\n"
            }
        }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        return Array("\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(text)\r\n".utf8)
    }

    private var split: (authority: String?, target: String) {
        for scheme in ["http://", "https://"] where url.lowercased().hasPrefix(scheme) {
            let rest = url.dropFirst(scheme.count)
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            let target = String(rest[end...])
            return (String(rest[..<end]), target.hasPrefix("/") ? target : "/" + target)
        }
        return (nil, url)
    }
}
