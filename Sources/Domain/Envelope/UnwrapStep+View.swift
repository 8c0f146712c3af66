extension UnwrapStep {
    /// Whether a look at one of these members of the document can find something where the step has something to take off;
    /// `nil` when the step tells nothing about members.
    package func mayBeSeen(by members: [String]) -> Bool? {
        switch self {
        case .pointer(let path):
            let first = path.dropFirst().prefix { $0 != 0x2F }
            // Escapes are rare, and a warning is not worth a decoder.
            if first.isEmpty || first.contains(0x7E) { return nil }
            return members.contains { $0.utf8.elementsEqual(first) }
        case .jsonString: return false
        case .unwrapKey(let glob): return members.contains { Unwrapper.matches(Array($0.utf8)[...], glob[...]) }
        default: return nil
        }
    }
}
