import Bytes

/// The right side of `x in [1, 2]`. Its strings apart, so that looking for one takes no constant out of its enum.
final class ConstantList: Sendable {
    let constants: [Constant]
    private let texts: [[UInt8]]

    init(_ constants: [Constant]) {
        self.constants = constants
        texts = constants.compactMap { constant in
            if case .string(let text) = constant { Array(text) } else { nil }
        }
    }

    func contains(_ text: Span<UInt8>) -> Bool {
        for index in texts.indices where texts[index].count == text.count {
            let other = texts[index]
            if ASCII.equal(other.span, text) { return true }
        }
        return false
    }
}
