import Testing

@testable import Expressions

/// Expressions that must be true, by part of the language.
struct LanguageTests {
    @Test(arguments: [
        #"'a\x41\u00e9\U0001F600\101\n\t\\\'\"\`\?' == "aAé😀A\n\t\\'\"`?""#,
        #"r'a\n' == 'a\\n' && R"\'" == '\\\''"#,
        "'''a\n'b''c''' == 'a\\n\\'b\\'\\'c'", "\"\"\"a\"b\"\"\" == 'a\"b'", "r'''\\''' == '\\\\'",
        #"b'\xff\377é' == b"\xFF\xFF\303\251""#, "rb'\\x' == b'\\\\x' && br'\\x' == Rb'\\x'",
        "size(b'é') == 2 && size('é') == 1", "0x1F == 31 && 0xffu == 255u", "-0x10 == -16", "1u == 1U",
        "1.5e3 == 1500.0 && .5 == 0.5 && 1e-3 == 0.001 && 1E3 == 1000.0", "-9223372036854775808 < 0",
        "18446744073709551615u > 0u", "// comment\n1 == 1 // end", "[1, 2,] == [1, 2] && {'a': 1,} == {'a': 1}",
        "''.size() == 0 && b''.size() == 0", "'\\000' == '\\x00'", "{'a-b': 1}.`a-b` == 1", "dyn({'if': 1}).if == 1",
        "type(null) == null_type && type([]) == list && type({}) == map && type(type(1)) == type",
        "type(timestamp(0)) == google.protobuf.Timestamp",
    ])
    func literals(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "10 - 4 - 3 == 3", "100 / 10 / 5 == 2", "7 % 4 * 2 == 6",
        "2 * -3 == -6 && - -3 == 3", "!true == false && !!true", "1 < 2 == true", "true || false && false",
        "false ? true : true ? true : false", "true ? 1 == 1 : false", "1 in [1] && !(2 in [1])", "-1 + 2 == 1",
        "1 - -1 == 2", "-{'a': 1}.a == -1", "-[1, 2][1] == -2", "!{'a': false}.a", "1 + 1 in [2]", "'a' + 'b' == 'ab'",
        "false && false || true", "-7 / 2 == -3 && -7 % 2 == -1", "7u / 2u == 3u && 7u % 2u == 1u",
    ])
    func precedence(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "1 == 1.0 && 1u == 1 && 1.0 == 1u && 1 != 2.0", "dyn(1) != dyn('1') && dyn(null) != dyn(false)",
        "0.0 == -0.0 && double('NaN') != double('NaN')", "!(double('NaN') < 1.0) && !(double('NaN') >= 1.0)",
        "[1, 2.0] == [1.0, 2] && [1] != [1, 1] && [] == []", "{1: 'a'} == {1u: 'a'} && {'a': 1} != {'b': 1}",
        "{'a': [1, {'b': null}]} == {'a': [1.0, {'b': null}]}", "9007199254740993 != 9007199254740992.0",
        "9223372036854775807 < 9223372036854775808.0 && -9223372036854775808 == -9223372036854775808.0",
        "18446744073709551615u < 18446744073709551616.0 && 18446744073709551615u > 9223372036854775807",
        "1 < 1.5 && 2 > 1.5 && -1 < 0u && 1.5 < 2u && 2u > 1.5", "false < true && 'a' < 'b' && 'B' < 'a' && '' < 'a'",
        "b'\\x00' < b'\\x01' && b'a' < b'aa'", "'中' > 'z' && '😀' > '中'", "duration('1s') < duration('2s')",
        "timestamp(1) <= timestamp(1) && timestamp(2) > timestamp(1)", "1 in [1.0] && 1 in [1u] && 'a' in {'a': 1}",
        "!('b' in {'a': 1}) && 1u in {1: 'x'} && 2.0 in {2: 1}", "dyn([1]) != dyn({}) && bytes('a') == b'a'",
        "optional.of(1) == optional.of(1.0) && optional.none() != optional.of(1)", "type(1) == int && type(1) != uint",
    ])
    func equalityAndOrder(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "true || 1 / 0 == 1", "1 / 0 == 1 || true", "!(false && 1 / 0 == 1)", "!(1 / 0 == 1 && false)",
        "x.a == 1 || true", "true || x.a == 1 || 1 / 0 == 1", "[1, 0].exists(n, 1 / n == 1)",
        "[0, 1].exists(n, 1 / n == 1)", "![0, 1].all(n, 1 / n == 2)", "!(x.a == 1 && [2].all(n, n == 1))",
        "true ? true : 1 / 0 == 1", "!([].exists(n, true)) && [].all(n, false)",
    ])
    func errorsAreAbsorbed(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "has({'a': null}.a) && !has({}.a) && has(json.status) && !has(json.nothing)", "has(request.query.a)",
        "!has(request.form.a)", "[1, 2, 3].map(n, n * n) == [1, 4, 9]", "{'a': 1, 'b': 2}.map(k, k) == ['a', 'b']",
        "[1, 2].map(n, [3, 4].map(m, n * m)) == [[3, 4], [6, 8]]", "[1, 2].map(n, [n].map(n, n + 1)) == [[2], [3]]",
        "{'a': 1, 'b': 2}.filter(k, k != 'a') == ['b']", "[3, 1, 2].sortBy(n, -n) == [3, 2, 1]",
        "['b1', 'a2', 'a1'].sortBy(s, s.charAt(0)) == ['a2', 'a1', 'b1']", "[1, 2, 2].exists_one(n, n == 1)",
        "![1, 2, 2].existsOne(n, n == 2)", "[5, 6].exists(i, n, i == 1 && n == 6)",
        "{'a': 1}.exists(k, v, k == 'a' && v == 1)",
        "[5, 6].transformList(i, n, i > 0, n + i) == [7]", "['a'].transformMap(i, s, s + '!') == {0: 'a!'}",
        "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2) == {'b': 4}", "json.result.list.map(n, n + 1) == [2, 3, 4]",
        "json.result.all(k, k != '') && json.result.transformList(k, v, k).size() == 4",
        "cel.bind(a, 2, cel.bind(b, a + 1, a * b)) == 6", "[1, 2].map(text, text) == [1, 2] && text == 'hello'",
        "[3, 4].reduce(sum, n, sum + n, 0) == 7 && [].reduce(sum, n, sum + n, 'none') == 'none'",
        "[3, 4].reduce(sum, i, n, sum + i * n, 0) == 4",
        "{'a': 2, 'b': 3}.reduce(s, k, v, s + k + string(v), '') == 'a2b3'",
        "bytes.toList(b'\\x0f\\x33').reduce(x, b, math.bitXor(x, b), 0) == 60",
        "[[1, 2], [3]].reduce(sum, l, sum + l.reduce(sum, n, sum + n, 0), 0) == 6",
        "cel.bind(sum, 5, [1].reduce(sum, n, sum + n, sum)) == 6",
        "request.query.reduce(s, p, s + p.value, '') == '123'",
        "[[1, 2], [3]].all(l, l.all(n, n > 0))", "lists.range(30).sortBy(n, -n)[0] == 29",
    ])
    func macros(source: String) {
        let host = TestHost(json: #"{"status":1,"result":{"a":1,"b":{},"c":null,"list":[1,2,3]}}"#)
        #expect(TestHost.outcome(source, host) == "true")
    }

    @Test(arguments: [
        "{'a': 1}.?a.hasValue() && !{'a': 1}.?b.hasValue()", "{'a': 1}[?'a'].value() == 1", "[1][?0].value() == 1",
        "![1][?5].hasValue()", "{'a': {'b': 1}}.?a.b.value() == 1", "!{'a': {}}.?a.b.hasValue()",
        "!dyn({}).?a.b.c[0].hasValue()", "[?optional.of(1), ?optional.none(), 2] == [1, 2]",
        "{?'a': optional.of(1), ?'b': optional.none()} == {'a': 1}", "{'a': 1}.?b.orValue(5) == 5",
        "{'a': 1}.?b.or({'a': 2}.?a).value() == 2", "has({'a': {'b': 1}}.?a.b) && !has({}.?a.b)",
        "json.?result.?token.orValue('none') == 'none'", "json.?nothing.?token.orValue('none') == 'none'",
        "json.?empty.?token.orValue('none') == 'none'", "json[?'nothing'][?0].orValue(1) == 1",
        "optional.of(2).optMap(n, n * 2).value() == 4", "!optional.none().optMap(n, 1 / 0).hasValue()",
        "optional.of(json).optFlatMap(j, j.?status).orValue(0) == 1", "request.query[?'b'].orValue('') == '2'",
        "request.form[?'b'].orValue('none') == 'none'", "!code.optMap(c, c > 5).orValue(false)",
    ])
    func optionals(source: String) {
        let host = TestHost(json: #"{"status":1,"result":"","empty":null}"#)
        #expect(TestHost.outcome(source, host) == "true")
    }
}
