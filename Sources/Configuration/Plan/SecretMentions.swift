/// Secrets that texts of a config name: `secret.NAME`, `secret["NAME"]`. Looks at the text, so that one in a comment or in a
/// string counts as named too: for warnings of secrets that nobody names.
struct SecretMentions {
    var names: Set<String> = []
    /// One is looked up by a name that is computed.
    private(set) var isComputed = false

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
        while position + Self.root.count < text.count {
            let end = position + Self.root.count
            let isRoot =
                text[position..<end].elementsEqual(Self.root)
                && (position == 0 || !Self.isName(text[position - 1]) && text[position - 1] != 0x2E)
            guard isRoot else {
                position += 1
                continue
            }
            position = end
            switch text[end] {
            case 0x2E: add(text[(end + 1)...].prefix { Self.isName($0) })
            case 0x5B: addIndex(text[(end + 1)...])
            default: break
            }
        }
    }

    private mutating func addIndex(_ text: ArraySlice<UInt8>) {
        guard let quote = text.first, quote == 0x22 || quote == 0x27 else { return isComputed = true }
        add(text.dropFirst().prefix { $0 != quote })
    }

    private mutating func add(_ name: ArraySlice<UInt8>) { names.insert(String(decoding: name, as: UTF8.self)) }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }
}
