import Bytes
import Cryptography

extension FunctionTable {
    static let php: [Function] = [
        Function(
            "php.pairs(pairs|list) -> pairs",
            summary:
                "The fields as PHP's `$_POST` has them: blanks and dots in names become `_`, of "
                + "several fields with one "
                + "name the last wins, `a[]` and `a[k]` become one field `a` with the value `Array`.",
            example:
                "php.pairs([{'name': 'a.b', 'value': '1'}, {'name': 'a_b', 'value': '2'}]).map(f, f.value) == ['2']",
            body: .unary { value throws(EvaluationError) in .pairs(try PHP.variables(of: value), folding: false) }),
        Function(
            "php.sort(pairs|list) -> pairs",
            summary:
                "As `php.pairs`, in the order of `ksort` of PHP 8: names that look like numbers compare as numbers.",
            example:
                "php.sort([{'name': '10', 'value': 'b'}, {'name': '9', 'value': 'a'}]).map(f, f.value) == ['a', 'b']",
            body: .unary { value throws(EvaluationError) in
                .pairs(PHP.sorted(try PHP.variables(of: value)), folding: false)
            }),
    ]

    static let nonces: [Function] = [
        Function(
            "random.uuid() -> string", summary: "A random UUID (version 4).", example: "size(random.uuid()) == 36",
            isPure: false, body: .nullary { () throws(EvaluationError) in .text(SecureRandom.uuid4()) }),
        Function(
            "random.hex(int) -> string", summary: "So many random bytes in base 16.",
            example: "size(random.hex(8)) == 16",
            isPure: false,
            body: .unary { count throws(EvaluationError) in .text(SecureRandom.hex(try amount(count))) }),
        Function(
            "random.bytes(int) -> bytes", summary: "So many random bytes.", example: "size(random.bytes(8)) == 8",
            isPure: false,
            body: .unary { count throws(EvaluationError) in .bytes(SecureRandom.bytes(try amount(count))[...]) }),
        Function(
            "random.alphanumeric(int) -> string", summary: "So many random letters and digits.",
            example: "random.alphanumeric(32).matches('^[0-9A-Za-z]{32}$')", isPure: false,
            body: .unary { count throws(EvaluationError) in
                .text(
                    letters(
                        try amount(count), of: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
            }),
        Function(
            "random.digits(int) -> string", summary: "So many random digits.",
            example: "random.digits(6).matches('^[0-9]{6}$')", isPure: false,
            body: .unary { count throws(EvaluationError) in .text(letters(try amount(count), of: "0123456789")) }),
        Function(
            "counter.next(string, int) -> int",
            summary:
                "The number, or one more than the last one that this counter (its name comes first) gave, whichever "
                + "is greater: a nonce that only ever grows, also across restarts when the number is a time. Requests "
                + "overtake each other: an upstream that wants them in order gets `limits: {in_flight: 1}`.",
            example: "counter.next('manual', 5) < counter.next('manual', 5)", isPure: false,
            body: .binary { name, least throws(EvaluationError) in
                guard let least = least.int else { throw .overload(least) }
                return .int(try Counters.shared.next(try name.requireString(), least: least))
            }),
    ]

    private static func amount(_ value: Value) throws(EvaluationError) -> Int {
        let count = try value.requireInt()
        guard count >= 0, count <= 4096 else { throw .argument("0 to 4096") }
        return count
    }

    /// Bytes beyond the last whole multiple of the alphabet are dropped, so that every letter is equally likely.
    private static func letters(_ count: Int, of alphabet: String) -> [UInt8] {
        let letters = Array(alphabet.utf8)
        let limit = 256 - 256 % letters.count
        var output: [UInt8] = []
        while output.count < count {
            for byte in SecureRandom.bytes(count - output.count + 8) where Int(byte) < limit && output.count < count {
                output.append(letters[Int(byte) % letters.count])
            }
        }
        return output
    }
}
