import Bytes
import JSONBytes

/// Follows secrets through expressions, for whoever shows what expressions made of them: what a function makes of a secret
/// becomes a secret to look for, unless nothing leads back from it (a digest, a signature). Only expressions that were
/// compiled with `FunctionTable.recording(to:)` tell it anything, so that the gateway's own evaluator needs no hook.
///
/// What a value depends on is told by counting: an expression that reads a secret raises `touched` before its value is
/// there. Whether one truth value or another came out tells nothing that is kept from anybody.
package final class SecretTrail {
    /// Where the counters stood when an expression began.
    struct Mark {
        fileprivate let touched: Int
        fileprivate let loose: Int
    }

    private let ranges: (Span<UInt8>) -> [Range<Int>]
    private let learn: ([UInt8]) -> Void
    private let least: Int
    /// Values read or made so far that hold a secret.
    private var touched = 0
    /// Those of them that are too short to be found again in a text: single characters of a password.
    private var loose = 0
    private var looseTexts: Set<[UInt8]> = []

    /// - Parameters:
    ///   - least: A shorter text is not looked for everywhere.
    ///   - ranges: Where known secrets stand in a text, in whatever spelling.
    ///   - learn: Gets texts made of secrets; shorter ones than `least` only when an expression ends with one.
    package init(
        least: Int, ranges: @escaping (Span<UInt8>) -> [Range<Int>], learn: @escaping ([UInt8]) -> Void
    ) {
        (self.least, self.ranges, self.learn) = (least, ranges, learn)
    }

    var mark: Mark { Mark(touched: touched, loose: loose) }

    /// A name, a field or an element: it holds a secret or it does not, whatever it was taken from.
    func read(_ value: Value, since mark: Mark) {
        forget(mark)
        for text in value.texts {
            if looseTexts.contains(text) { (touched, loose) = (touched + 1, loose + 1) }
            if isSecret(text) { touched += 1 }
        }
    }

    /// What takes its parts over as they are: a sum of texts, a list, one of two values.
    func took(_ value: Value, since mark: Mark) {
        guard touched > mark.touched else { return }
        let texts = value.texts
        guard !texts.isEmpty else { return forget(mark) }
        // The elements of a list were looked at one by one.
        guard loose > mark.loose, value.isScalar, !looseTexts.contains(texts[0]) else { return }
        hide(texts, since: mark)
    }

    /// `a + b`: texts and lists are put together, numbers become another one.
    func summed(_ value: Value, since mark: Mark) {
        guard touched > mark.touched, value.isScalar, value.contents == nil else { return took(value, since: mark) }
        hide(value.texts, since: mark)
    }

    func called(_ function: Function, _ arguments: [Value], _ result: Value, since mark: Mark) {
        let (given, texts) = (function.shown(arguments).flatMap(\.texts), result.texts)
        let isLoose = given.contains { looseTexts.contains($0) }
        guard !function.isOneWay, !texts.isEmpty, isLoose || given.contains(where: { isSecret($0) }) else {
            return forget(mark)
        }
        // A variable of a macro is given without being read.
        touched = max(touched, mark.touched + 1)
        if isLoose { loose = max(loose, mark.loose + 1) }
        if !isLoose, function.keepsParts, !result.isScalar || isSecret(texts[0]) { return }
        let open = given.filter { !looseTexts.contains($0) }.flatMap { parts(of: $0) }.filter { !$0.isSecret }
        let unknown = texts.filter { !looseTexts.contains($0) && !isMade(of: open.map(\.bytes), $0) }
        if unknown.isEmpty { return }
        if !isLoose, let pieces = pieces(function, arguments, result) { return hide(pieces, since: mark) }
        hide(unknown, since: mark)
    }

    /// The end of an expression: what is shown may be this and nothing else.
    func ended(_ value: Value) {
        for text in value.texts where looseTexts.contains(text) { learn(text) }
    }

    // MARK: Steps

    private func isSecret(_ text: [UInt8]) -> Bool { !ranges(text.span).isEmpty }

    private func forget(_ mark: Mark) { (touched, loose) = (mark.touched, mark.loose) }

    private func hide(_ texts: [[UInt8]], since mark: Mark) {
        loose = mark.loose
        for text in texts where !text.isEmpty {
            if text.count >= least {
                learn(text)
            } else {
                looseTexts.insert(text)
                loose += 1
            }
        }
    }

    /// A text cut where secrets begin and end.
    private func parts(of text: [UInt8]) -> [(bytes: [UInt8], isSecret: Bool)] {
        var parts: [(bytes: [UInt8], isSecret: Bool)] = []
        var end = 0
        for range in ranges(text.span).sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
            let start = max(range.lowerBound, end)
            if start > end { parts.append((Array(text[end..<start]), false)) }
            parts.append((Array(text[start..<range.upperBound]), true))
            end = range.upperBound
        }
        if end < text.count { parts.append((Array(text[end...]), false)) }
        return parts
    }

    /// Beside the secrets that are found in it, the text holds only what stands beside secrets in the arguments.
    private func isMade(of open: [[UInt8]], _ text: [UInt8]) -> Bool {
        parts(of: text).allSatisfy { part in
            part.isSecret || open.contains { ByteSearch.first(part.bytes[...], in: $0[...]) != nil }
        }
    }

    /// What the function makes of the secrets in its first argument, when it is proven to work piece by piece (`lowerAscii`,
    /// `replace` on a string to sign); `nil`: it is not.
    private func pieces(_ function: Function, _ arguments: [Value], _ result: Value) -> [[UInt8]]? {
        guard !FunctionTable.records(function), let text = arguments.first?.contents, let whole = result.contents,
            !arguments.dropFirst().flatMap(\.texts).contains(where: { isSecret($0) })
        else { return nil }
        var (made, secret): ([UInt8], [[UInt8]]) = ([], [])
        for part in parts(of: Array(text)) {
            var values = arguments
            if case .bytes = arguments[0].resolved {
                values[0] = .bytes(part.bytes[...])
            } else {
                values[0] = .text(part.bytes)
            }
            guard let piece = (try? function.call(values))?.contents else { return nil }
            made += piece
            if part.isSecret { secret.append(Array(piece)) }
        }
        return made.elementsEqual(whole) ? secret : nil
    }
}

extension Value {
    /// Every text in it, the names of members too; numbers and times as text.
    fileprivate var texts: [[UInt8]] {
        switch self {
        case .null, .bool, .type, .object, .optional(nil): return []
        case .optional(.some(let inner)): return inner.texts
        case .json(let json) where json.kind == .null || json.kind == .bool: return []
        case .json(let json) where json.kind == .object:
            return json.members.flatMap { Value.json($0.key).texts + Value.json($0.value).texts }
        case .map, .pair:
            guard let map = asMap else { return [] }
            return map.entries.flatMap { $0.key.texts + $0.value.texts }
        default: break
        }
        guard var cursor = ElementCursor(self) else {
            var text: [UInt8] = []
            appendText(to: &text)
            return [text]
        }
        var texts: [[UInt8]] = []
        while let element = cursor.next() { texts += element.texts }
        return texts
    }

    /// One text and no parts.
    fileprivate var isScalar: Bool {
        if case .optional(.some(let inner)) = self { return inner.isScalar }
        return ElementCursor(self) == nil
    }
}
