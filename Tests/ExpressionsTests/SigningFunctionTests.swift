import Testing

@testable import Expressions

/// Functions for signatures beyond the examples of the manual: edges.
struct SigningFunctionTests {
    @Test(arguments: [
        "pairs.names(pairs.sort(request.query + request.form)) == ['a', 'a', 'b']",
        "pairs.values(pairs.sort(request.query)) == ['1', '3', '2']",
        "pairs.values(pairs.merge(pairs.prefixed(request.headers, 'x-'), ',')) == ['1,2']",
        "pairs.names(pairs.keep(request.headers, ['CONTENT-type'])) == ['Content-Type']",
        "pairs.names(pairs.drop(request.query, ['A'])) == ['a', 'b', 'a']",
        "pairs.values(pairs.pick(request.headers, ['X-A', 'content-type'])) == ['1', '2', 'text/html']",
        "pairs.lines([], ':') == '' && pairs.join([], '=', '&') == ''",
        "pairs.join(pairs.of({'n': 1, 'l': [1, 'a'], 'm': {'x': null}, 'z': null}), '=', '&') == 'n=1&l=[1,\"a\"]&m={\"x\":null}&z='",
        "pairs.join(pairs.of({'name': 'a', 'value': 'b'}), '=', '&') == 'name=a&value=b'",
        "pairs.join([{'name': 'a', 'value': 1.5}], '=', '&') == 'a=1.5'",
        "pairs.values(pairs.collapse([{'name': 'a', 'value': ' x \\t  y '}])) == ['x y']",
        "pairs.join(pairs.split('a==b&&c'), '=', '&') == 'a==b&c='",
        "url.canonicalQuery('') == '' && url.canonicalQuery(request.query) == 'a=1&a=3&b=2'",
        "url.canonicalQuery('p[10]=1&p[2]=1&p=1') == 'p=1&p%5B10%5D=1&p%5B2%5D=1'",
        "path.normalize('') == '/' && path.normalize('/') == '/' && path.normalize('//') == '/'",
        "path.normalize('/a/..') == '/' && path.normalize('/../a') == '/a' && path.normalize('/a/./') == '/a/'",
        "url.encodeExcept('é~', '~') == '%C3%A9~' && url.encodeLower('é') == '%c3%a9'",
        "'中文'.left(0) == '' && '中文'.right(0) == '' && 'a'.right(5) == 'a'",
        "'abc'.before('x') == 'abc' && 'abc'.after('x') == '' && 'a=b'.after('') == 'a=b'",
        "b'abc'.slice(1, 3) == b'bc' && b'abc'.slice(3, 3) == b''",
        "bytes('a') + hash.md5('').slice(0, 1) == b'a\\xd4'",
        "time.parse('2024-02-29 23:59:59.123 +0800', '%Y-%m-%d %H:%M:%S.%L %z') == timestamp('2024-02-29T15:59:59.123Z')",
        "time.parse('20240101', '%Y%m%d', '+08:00') == timestamp('2023-12-31T16:00:00Z')",
        "time.parse('1700000000', '%s') == timestamp(1700000000)",
        "json.sorted({'b': [{'d': 1, 'c': 2}], 'a': 'é\"'}) == '{\"a\":\"é\\\\\"\",\"b\":[{\"c\":2,\"d\":1}]}'",
        "sf.item(1.0) == '1.0' && sf.item(1.2345) == '1.234' && sf.item(-5) == '-5' && sf.item(timestamp(5)) == '@5'",
        "sf.dictionary({'a': true, 'b': false}) == 'a, b=?0' && sf.innerList([]) == '()'",
        "charset.decode(charset.encode('中文', 'gb18030'), 'gbk') == '中文'",
        "counter.next('t', 10) == 10 && counter.next('t', 10) == 11 && counter.next('t', 50) == 50",
    ])
    func values(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "pairs.pick(request.query, ['z'])", "pairs.of(5)", "pairs.sort(['a'])",

        "charset.encode('中' + text, 'iso-8859-1')",
        "charset.encode('a', text)", "charset.decode(b'\\xff', 'gbk')", "sf.item('é')", "sf.dictionary({'A': 1})",
        "sf.item(9999999999999999)", "time.parse('2023-02-29', '%Y-%m-%d')", "time.parse('x', text + '%Q')",
        "'a'.left(-1)",
        "b'abc'.slice(2, 5)", "xml.fields('<!DOCTYPE a><a></a>')", "url.encodeExcept('a', text + 'é')",
    ])
    func errors(source: String) { #expect(TestHost.fails(source)) }
}
