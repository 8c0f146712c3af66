extension UnwrapStep {
    /// Whether a look at one of these members of the document can find something where the step has something to take off;
    /// `nil` when the step tells nothing about members.
    /// - Parameter opened: those of the members that something is looked up in.
    package func mayBeSeen(by members: [String], opened: Set<String>) -> Bool? {
        switch self {
        case .pointer(let path):
            let first = path.dropFirst().prefix { $0 != 0x2F }
            // Escapes are rare, and a warning is not worth a decoder.
            if first.isEmpty || first.contains(0x7E) { return nil }
            return members.contains { $0.utf8.elementsEqual(first) }
        case .jsonString: return false
        case .unwrapKey(let glob):
            // An error often comes under a name of its own, beside the ones that hold a payload: it is an object too.
            return members.contains { Unwrapper.matches(Array($0.utf8)[...], glob[...]) || opened.contains($0) }
        default: return nil
        }
    }
}
