import Domain

/// How an answer is looked into before it is handed on.
struct Inspection {
    /// Most bytes.
    let limit: Int
    /// It must begin like a document to be looked into any further.
    let asksForDocument: Bool

    init(limit: Int) {
        self.limit = limit
        asksForDocument = false
    }

    /// Something that is labelled as a file. Endpoints of exports set the label before the filter that refuses the session
    /// writes its JSON, so a small one is looked into, and of one whose length is not told the first byte decides: a
    /// download streams from there on. `length`: as told; `limit`: the route's own.
    init(file length: UInt64?, limit: Int) {
        self.limit = min(limit, RouteRuntime.smallBody)
        asksForDocument = length == nil
    }

    /// Enough was seen: this is not looked into.
    func isRefuted(by bytes: [UInt8]) -> Bool {
        guard asksForDocument else { return false }
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        guard let first = bytes.first(where: { !blanks.contains($0) }) else { return false }
        // `{`, `[`, `<`, and the first byte of a byte order mark.
        return ![0x7B, 0x5B, 0x3C, 0xEF].contains(first)
    }
}
