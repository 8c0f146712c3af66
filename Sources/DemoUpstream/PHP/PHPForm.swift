import Bytes

/// PHP's `$_POST` or `$_GET`: names mangled, the last of equal names wins at the place of the first.
struct PHPForm: Sendable {
    /// PHP's `max_input_vars`: what comes after is dropped.
    static let limit = 1000

    private(set) var fields: [(name: [UInt8], value: PHPValue)] = []
    private var indices: [[UInt8]: Int] = [:]

    init() {}

    /// Reads `a=1&b=2`.
    init(_ encoded: Span<UInt8>) {
        let pairs = Percent.pairs(encoded)
        for index in 0..<Swift.min(pairs.count, Self.limit) {
            set(Array(pairs.name(at: index)), to: Array(pairs.value(at: index)))
        }
    }

    /// Registers one variable as PHP does. A name that is empty after mangling is dropped.
    mutating func set(_ rawName: [UInt8], to value: [UInt8]) {
        guard let (name, isArray) = PHPName.register(rawName), fields.count < Self.limit else { return }
        let value = isArray ? PHPValue.array : .text(value)
        if let index = indices[name] {
            fields[index].value = value
        } else {
            indices[name] = fields.count
            fields.append((name, value))
        }
    }

    subscript(_ name: StaticString) -> PHPValue? { indices[name.bytes].map { fields[$0].value } }

    /// The text of a field; empty when it is missing or an array.
    func text(_ name: StaticString) -> [UInt8] { self[name]?.text ?? [] }
}
