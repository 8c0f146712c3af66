/// Calls that bind names or do not evaluate their argument, recognised by name and shape.
enum Macro {
    /// Names that take a variable, called on a list or map.
    static let comprehensions: Set<String> = [
        "all", "exists", "exists_one", "existsOne", "filter", "map", "sortBy", "transformList", "transformMap",
        "transformMapEntry", "reduce", "optMap", "optFlatMap",
    ]

    static let documentation: [FunctionTable.Entry] = [
        ("has", ["has(a.b) -> bool"], "Whether a field is there.", "has({'a': 1}.a) && !has({'a': 1}.b)"),
        (
            "all", ["(list|map).all(x, bool) -> bool", "(list|map).all(i, x, bool) -> bool"],
            "Whether the condition holds for every element (key of a map); with two variables for "
                + "index and element, or key and value.",
            "[1, 2].all(x, x > 0) && {'a': 1}.all(k, v, v == 1)"
        ),
        (
            "exists", ["(list|map).exists(x, bool) -> bool", "(list|map).exists(i, x, bool) -> bool"],
            "Whether the condition holds for an element.", "[1, 2].exists(x, x == 2)"
        ),
        (
            "exists_one", ["(list|map).exists_one(x, bool) -> bool", "(list|map).existsOne(i, x, bool) -> bool"],
            "Whether the condition holds for exactly one element.", "[1, 2].exists_one(x, x > 1)"
        ),
        (
            "filter", ["(list|map).filter(x, bool) -> list"], "The elements for which the condition holds.",
            "[1, 2, 3].filter(x, x > 1) == [2, 3]"
        ),
        (
            "map", ["(list|map).map(x, value) -> list", "(list|map).map(x, bool, value) -> list"],
            "The list of values made from each element, or from those for which the condition holds.",
            "[1, 2, 3].map(x, x > 1, x * 2) == [4, 6]"
        ),
        (
            "sortBy", ["(list).sortBy(x, key) -> list"], "The elements in ascending order of a key; stable.",
            "['bb', 'a'].sortBy(s, size(s)) == ['a', 'bb']"
        ),
        (
            "transformList",
            ["(list|map).transformList(i, x, value) -> list", "(list|map).transformList(i, x, bool, value) -> list"],
            "As `map`, with index and element, or key and value.",
            "['a', 'b'].transformList(i, x, string(i) + x) == ['0a', '1b']"
        ),
        (
            "transformMap",
            ["(list|map).transformMap(k, v, value) -> map", "(list|map).transformMap(k, v, bool, value) -> map"],
            "A map with the same keys and new values.", "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}"
        ),
        (
            "transformMapEntry",
            [
                "(list|map).transformMapEntry(k, v, map) -> map",
                "(list|map).transformMapEntry(k, v, bool, map) -> map",
            ],
            "The union of the maps made for each entry; a key that comes twice is an error.",
            "{'a': 'x'}.transformMapEntry(k, v, {v: k}) == {'x': 'a'}"
        ),
        (
            "reduce",
            [
                "(list|map).reduce(result, x, next, first) -> dyn",
                "(list|map).reduce(result, i, x, next, first) -> dyn",
            ],
            "One value out of all elements: begins with `first`, and for each element becomes `next`. For checksums "
                + "and sums of one's own; `bytes.toList` makes a list of bytes.",
            "bytes.toList(b'\\x01\\x06').reduce(sum, b, math.bitXor(sum, b), 0) == 7 && [5, 6].reduce(s, i, x, s + i * x, 0) == 6"
        ),
        (
            "optMap", ["(optional).optMap(x, value) -> optional"], "The value made from what the optional holds.",
            "optional.of(1).optMap(x, x + 1) == optional.of(2)"
        ),
        (
            "optFlatMap", ["(optional).optFlatMap(x, optional) -> optional"],
            "The optional made from what the optional holds.",
            "optional.of({'a': 1}).optFlatMap(m, m.?b) == optional.none()"
        ),
        ("cel.bind", ["cel.bind(x, value, result) -> dyn"], "Names a value.", "cel.bind(x, 2 + 3, x * x) == 25"),
    ]
}
