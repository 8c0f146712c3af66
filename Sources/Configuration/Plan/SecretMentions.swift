/// Secrets that texts of a config name: `secret.NAME`, `secret["NAME"]`. Looks at the text, so that one in a string counts as
/// named too.
struct SecretMentions {
    var names: Set<String> = []
    /// One may be looked up by a name that is computed: any may be meant.
    private(set) var isComputed = false

    /// A word too many only costs a login, or a warning, too few.
    func contains(_ name: String) -> Bool { isComputed || names.contains(name) }

    var isEmpty: Bool { names.isEmpty && !isComputed }

    private static let root = Array("secret".utf8)

    mutating func look(at node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): look(at: Array(scalar.text.utf8))
        case .sequence(let items): for item in items { look(at: item) }
        case .mapping(let entries): for entry in entries { look(at: entry.value) }
        }
    }

    private mutating func look(at text: [UInt8]) {
        var position = 0
        while position + Self.root.count <= text.count {
            let end = position + Self.root.count
            let isRoot =
                text[position..<end].elementsEqual(Self.root)
                && (position == 0 || !Self.isName(text[position - 1]) && text[position - 1] != 0x2E)
            guard isRoot else {
                position += 1
                continue
            }
            position = end
            mention(text[end...])
        }
    }

    /// - Parameter text: What follows the word `secret`.
    private mutating func mention(_ text: ArraySlice<UInt8>) {
        guard let first = text.first else { return isComputed = true }
        if Self.isName(first) { return }
        var rest = text.dropFirst()
        // `secret.?NAME`, `secret[?"NAME"]`.
        if rest.first == 0x3F { rest = rest.dropFirst() }
        if first == 0x2E {
            names.insert(String(decoding: rest.prefix { Self.isName($0) }, as: UTF8.self))
        } else if first == 0x5B, let quote = rest.first, quote == 0x22 || quote == 0x27 {
            names.insert(String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self))
        } else {
            isComputed = true
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }
}
