import Bytes
import Domain

/// `/api/*/items/{id}/**`.
enum PatternSyntax {
    static func parse(_ text: String) -> Result<PathPattern, AddressProblem> {
        func refuse(_ text: String, _ hint: String? = nil) -> Result<PathPattern, AddressProblem> {
            .failure(AddressProblem(text: text, hint: hint))
        }
        let bytes = Array(text.utf8)
        guard bytes.first == 0x2F else { return refuse("a pattern starts with /") }
        if bytes.contains(0x3F) || bytes.contains(0x23) {
            return refuse("a pattern matches the path only", "no ? or #")
        }
        var segments: [PathPattern.Segment] = []
        let parts = bytes.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part.elementsEqual("**".utf8) {
                guard index == parts.count - 1 else { return refuse("** may only be the last segment") }
                segments.append(.rest)
            } else if part.elementsEqual("*".utf8) || isPlaceholder(part) {
                segments.append(.any)
            } else if part.contains(0x2A) || part.contains(0x7B) || part.contains(0x7D) {
                return refuse("* and {name} stand for a whole segment", "write a literal * as %2A")
            } else if let problem = PathSyntax.problem(of: part) {
                return refuse(problem)
            } else {
                segments.append(.literal(Array(part)))
            }
        }
        return .success(PathPattern(segments: segments))
    }

    private static func isPlaceholder(_ part: ArraySlice<UInt8>) -> Bool {
        guard part.first == 0x7B, part.last == 0x7D, part.count > 2 else { return false }
        return part.dropFirst().dropLast().allSatisfy(ASCIIName.isNameByte)
    }

    /// Whether the first pattern matches everything that the second matches.
    static func covers(_ first: PathPattern, _ second: PathPattern) -> Bool {
        var index = 0
        while index < first.segments.count {
            let segment = first.segments[index]
            if segment == .rest { return true }
            guard index < second.segments.count else { return false }
            switch (segment, second.segments[index]) {
            case (.any, .any): break
            case (.any, .literal(let text)): if text.isEmpty { return false }
            case (.literal(let one), .literal(let other)): if one != other { return false }
            default: return false
            }
            index += 1
        }
        return second.segments.count == first.segments.count
    }
}
