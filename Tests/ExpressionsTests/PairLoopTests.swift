import Testing

@testable import Expressions

/// A loop over pairs keeps the pair it stands at apart from other variables; whatever else loops meanwhile must not see it,
/// nor lose it.
struct PairLoopTests {
    @Test(arguments: [
        // One inside the other: the inner sees both, the outer goes on behind it.
        "pairs.split('a=1&b=2&c=3').filter(f, pairs.split('b=9&c=8').exists(g, g.name == f.name)).map(f, f.value) == ['2', '3']",
        "pairs.split('a=1&b=2').map(f, pairs.split('x=7').map(g, g.value + f.value).join() + f.name) == ['71a', '72b']",
        "pairs.split('a=1&b=2').map(f, pairs.split('x=7').map(g, pairs.split('y=5').map(h, f.name + g.name + h.name).join() "
            + "+ g.value).join() + f.value) == ['axy71', 'bxy72']",
        // A list inside pairs, pairs inside a list.
        "pairs.split('a=1&b=2').map(f, [3, 4].map(n, f.value + string(n)).join('/')) == ['13/14', '23/24']",
        "[3, 4].map(n, pairs.split('a=1').map(f, f.name + string(n)).join()) == ['a3', 'a4']",
        // One behind the other, at the same depth; the first ends early, or errs.
        "pairs.split('a=1&b=2').exists(f, f.name == 'a') && pairs.split('c=3').map(g, g.name) == ['c']",
        "(pairs.split('a=x').exists(f, int(f.value) > 0) || true) && pairs.split('b=2').map(g, g.name) == ['b']",
        "pairs.split('a=1').exists(f, [pairs.split('b=2').all(g, g.value == '2'), f.value == '1'] == [true, true])",
        // The pair as a whole, and kept beyond its turn.
        "pairs.split('a=1&b=2').map(f, f).map(f, f.value).join() == '12'",
        "pairs.split('a=1&b=2').map(f, f)[0].name == 'a'",
        "pairs.split('b=1&a=2').sortBy(f, f.value + f.name).map(f, f.name) == ['b', 'a']",
        "pairs.split('a=1').map(f, cel.bind(x, f, pairs.split('q=9').map(g, x.name + g.name).join())) == ['aq']",
        "pairs.split('a=1&b=2').reduce(sum, f, sum + int(f.value), 0) == 3",
    ])
    func loops(source: String) { #expect(TestHost.outcome(source) == "true") }
}
