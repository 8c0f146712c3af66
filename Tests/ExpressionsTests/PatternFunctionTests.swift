import Testing

@testable import Expressions

/// What regular expressions find, and times in zones.
struct PatternFunctionTests {
    @Test(arguments: [
        "regex.extract('a1b22', '[0-9]+').value() == '1' && regex.extract('a1b22', 'b([0-9]+)').value() == '22'",
        "!regex.extract('abc', 'x').hasValue() && !regex.extract('b', '(a)?b').hasValue()",
        "regex.extract('abc', '').value() == '' && regex.extract('', '^$').value() == ''",
        // The alternative that is written first wins, greedy takes all, lazy as little as it can.
        "regex.extract('abcd', 'ab|abcd').value() == 'ab' && regex.extract('abcd', 'abcd|ab').value() == 'abcd'",
        "regex.extract('<a><b>', '<.*>').value() == '<a><b>' && regex.extract('<a><b>', '<.*?>').value() == '<a>'",
        "regex.extract('aaa', 'a{2}?').value() == 'aa' && regex.extract('aaa', 'a{1,}?').value() == 'a'",
        "regex.extract('aaa', '(?U)a+').value() == 'a' && regex.extract('aaa', '(?U)a+?').value() == 'aaa'",
        // The last round of a repeated group.
        "regex.extract('a1b2c3', '(?:[a-z]([0-9]))+').value() == '3'",
        "regex.extract('x=中文;', 'x=([^;]+)').value() == '中文' && regex.extract('ABC', '(?i)b').value() == 'B'",
        "regex.extract('a.b', r'\\b(b)').value() == 'b' && regex.extract('line1\\nline2', '(?m)^line2$').value() == 'line2'",
        "regex.extractAll('a1b22c', '[0-9]+') == ['1', '22'] && regex.extractAll('x', '[0-9]') == []",
        "regex.extractAll('baac', 'a*') == ['', 'aa', ''] && regex.extractAll('k=v&x', '([a-z])=') == ['k']",
        "regex.extractAll('中文', '') == ['', '', '']",
        "regex.replace('hello', 'l', 'L') == 'heLLo' && regex.replace('hello', 'l', 'L', 1) == 'heLlo'",
        "regex.replace('hello', 'l', 'L', 0) == 'hello' && regex.replace('abc', 'x*', '-') == '-a-b-c-'",
        "regex.replace('a=1', '([a-z])=([0-9])', r'\\2=\\1 \\0 \\\\') == r'1=a a=1 \\'",
        "regex.replace('b', '(a)?b', r'[\\1]') == '[]'",
        "regex.replace('john doe', '(?P<first>[a-z]+) ([a-z]+)', r'\\2 \\1') == 'doe john'",
        // Linear: a backtracking engine would never end.
        "!regex.extract('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '^(?:a*)*b').hasValue()",
    ])
    func finds(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "regex.extract('a', '(a)(b)?')", "regex.extractAll('a', '(a)(b)?')", "regex.extract('a', text + '(')",
        "regex.replace('a', 'a', r'\\1')", "regex.replace('a', 'a', r'\\x')", "regex.replace('a', 'a', r'b\\')",
    ])
    func errors(source: String) {
        let outcome = TestHost.outcome(source)
        #expect(
            outcome.hasPrefix("error: bad argument") || outcome.contains("can never work here"), "\(outcome)")
    }

    @Test(arguments: [
        "timestamp('2009-02-13T23:31:30Z').getHours('Asia/Shanghai') == 7",
        "timestamp('2024-07-01T12:00:00Z').getHours('America/New_York') == 8 && timestamp('2024-01-01T12:00:00Z').getHours('America/New_York') == 7",
        "time.format(timestamp('2024-07-01T12:00:00Z'), '%Y-%m-%d %H:%M:%S %z', 'Europe/Berlin') == '2024-07-01 14:00:00 +0200'",
        "time.parse('2024-01-01 08:00:00', '%Y-%m-%d %H:%M:%S', 'Asia/Shanghai') == timestamp('2024-01-01T00:00:00Z')",
        "time.parse('2024-07-01 08:00', '%Y-%m-%d %H:%M', 'Europe/Berlin') == timestamp('2024-07-01T06:00:00Z')",
        // What the text says counts.
        "time.parse('2024-07-01 08:00 +0000', '%Y-%m-%d %H:%M %z', 'Europe/Berlin') == timestamp('2024-07-01T08:00:00Z')",
        "timestamp(0).getHours('Etc/GMT+5') == 19 && timestamp(0).getDate('UTC') == 1",
    ])
    func zones(source: String) { #expect(TestHost.outcome(source) == "true") }

    @Test(arguments: [
        "timestamp(0).getHours('Mars/Olympus')", "timestamp(0).getHours('../../etc/passwd')",
        "timestamp(0).getHours('A/../UTC')",
        "time.format(timestamp(0), '%H', '+8')", "time.parse('08', '%H', 'Nowhere')",
    ])
    func noZones(source: String) {
        let outcome = TestHost.outcome(source)
        #expect(outcome.contains("can never work here: time zone"), "\(outcome)")
    }
}
