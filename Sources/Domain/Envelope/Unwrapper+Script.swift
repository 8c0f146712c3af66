import Bytes

/// Script around JSON: `cb({...})`, `/**/ typeof cb === 'function' && cb({...});` (Express), `var x = {...};`, with comments
/// before and behind. What is nothing of the kind is left alone.
extension Unwrapper {
    /// Longest script before the JSON that is looked at.
    private static let prefixBytes = 256

    static func withoutScript(_ body: [UInt8], _ range: Range<Int>) -> Range<Int> {
        let start = skipComments(body, range)
        guard start < range.upperBound else { return range }
        if isOpening(body[start]) {
            // Comments alone; a text that is JSON from its first byte is not looked at.
            guard start > skipBlank(body, range) else { return range }
            return start..<scriptEnd(body, start..<range.upperBound)
        }
        return withoutStatement(body, start..<range.upperBound) ?? range
    }

    /// `nil`: it is no call and no assignment.
    private static func withoutStatement(_ body: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        let limit = min(range.upperBound, range.lowerBound + prefixBytes)
        var (index, isDeclared, isGuarded) = (range.lowerBound, false, false)
        while index < limit {
            let end = nameEnd(body, index..<limit)
            let name = body[index..<end]
            let next = skipBlank(body, end..<range.upperBound)
            guard next < limit else { return nil }
            if keywords.contains(where: { name.elementsEqual($0) }), next > end {
                (index, isDeclared) = (next, true)
            } else if body[next] == 0x28, !name.isEmpty, !name.elementsEqual("typeof".utf8) {
                return withoutCall(body, next..<range.upperBound, mustHoldJSON: isGuarded || next > end)
            } else if body[next] == 0x3D, !name.isEmpty, next + 1 < range.upperBound, body[next + 1] != 0x3D {
                // `a={...}` alone may be a form; an object's member or a declaration is none.
                return assigned(body, next + 1..<range.upperBound, isCertain: isDeclared || name.contains(0x2E))
            } else if let behind = guardEnd(body, next..<limit) {
                (index, isGuarded) = (skipComments(body, behind..<range.upperBound), true)
            } else {
                return nil
            }
        }
        return nil
    }

    private static func withoutCall(_ body: [UInt8], _ range: Range<Int>, mustHoldJSON: Bool) -> Range<Int>? {
        let inner = range.lowerBound + 1
        let end = scriptEnd(body, range)
        guard end > inner, body[end - 1] == 0x29 else { return nil }
        let start = skipBlank(body, inner..<end - 1)
        guard !mustHoldJSON || isOpening(body[start]) else { return nil }
        return inner..<end - 1
    }

    private static func assigned(_ body: [UInt8], _ range: Range<Int>, isCertain: Bool) -> Range<Int>? {
        let start = skipBlank(body, range)
        guard start < range.upperBound, isOpening(body[start]) else { return nil }
        let end = scriptEnd(body, range)
        let isStatement = body[end..<range.upperBound].contains(0x3B)
        guard isCertain || isStatement, end > start, body[end - 1] == 0x7D || body[end - 1] == 0x5D else { return nil }
        return start..<end
    }

    /// Behind the `&&` of `typeof cb === 'function' && ` or `window.cb && `.
    private static func guardEnd(_ body: [UInt8], _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            if body[index] == 0x26, body[index + 1] == 0x26 { return index + 2 }
            guard isNameByte(body[index]) || isBlank(body[index]) || guardBytes.contains(body[index]) else {
                return nil
            }
            index += 1
        }
        return nil
    }

    /// `a.b`, `$1`, `cbs[0]`, `cbs["a"]`.
    private static func nameEnd(_ body: [UInt8], _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        guard index < range.upperBound, isNameByte(body[index]), !ASCII.isDigit(body[index]) else { return index }
        while index < range.upperBound {
            let isQuote = body[index] == 0x22 || body[index] == 0x27
            let isQuoted =
                isQuote && (body[index - 1] == 0x5B || index + 1 < range.upperBound && body[index + 1] == 0x5D)
            guard isQuoted || isNameByte(body[index]) else { break }
            index += 1
        }
        return index
    }

    /// Behind blanks, semicolons and comments.
    private static func skipComments(_ body: [UInt8], _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            if isBlank(body[index]) || body[index] == 0x3B {
                index += 1
            } else if body[index..<range.upperBound].starts(with: [0x2F, 0x2A]) {
                guard let end = closing(body, index + 2..<range.upperBound) else { return index }
                index = end
            } else if body[index..<range.upperBound].starts(with: [0x2F, 0x2F]) {
                index = body[index..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
            } else {
                break
            }
        }
        return index
    }

    private static func closing(_ body: [UInt8], _ range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            if body[index] == 0x2A, body[index + 1] == 0x2F { return index + 2 }
            index += 1
        }
        return nil
    }

    /// Before the blanks, semicolons and comments at the end.
    private static func scriptEnd(_ body: [UInt8], _ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound {
            let last = body[end - 1]
            if isBlank(last) || last == 0x3B {
                end -= 1
            } else if last == 0x29 || last == 0x7D || last == 0x5D {
                break
            } else if let start = commentStart(body, range.lowerBound..<end) {
                end = start
            } else {
                break
            }
        }
        return end
    }

    /// Start of the comment that ends the text.
    private static func commentStart(_ body: [UInt8], _ range: Range<Int>) -> Int? {
        let text = body[range]
        if text.count >= 4, text.suffix(2).elementsEqual([0x2A, 0x2F]) {
            var index = range.upperBound - 4
            while index >= range.lowerBound {
                if body[index] == 0x2F, body[index + 1] == 0x2A { return index }
                index -= 1
            }
            return nil
        }
        // The last `//` of the last line, behind a statement: a URL within the JSON is none.
        let line = text.lastIndex(of: 0x0A).map { $0 + 1 } ?? range.lowerBound
        guard var start = text[line...].lastIndex(of: 0x2F), start > line, body[start - 1] == 0x2F else { return nil }
        start -= 1
        let before = text[..<start].last { !isBlank($0) }
        return before.map { [0x29, 0x3B, 0x5D, 0x7D].contains($0) } ?? true ? start : nil
    }

    private static let keywords = ["var", "let", "const"].map { Array($0.utf8) }
    /// Of a guard: quotes, `=`, `!`, parentheses.
    private static let guardBytes: [UInt8] = [0x22, 0x27, 0x3D, 0x21, 0x28, 0x29]

    private static func isOpening(_ byte: UInt8) -> Bool { byte == 0x7B || byte == 0x5B }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlpha(byte) || ASCII.isDigit(byte) || byte == 0x5F || byte == 0x24 || byte == 0x2E || byte == 0x5B
            || byte == 0x5D
    }
}
