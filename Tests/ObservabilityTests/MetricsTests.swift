import Observability
import Testing

@Suite struct MetricsTests {
    func rendered(_ metrics: Metrics) -> String {
        var output: [UInt8] = []
        metrics.render(into: &output)
        return utf8(output)
    }

    @Test func rendersEachKindSortedByNameAndLabels() {
        let metrics = Metrics()
        let requests = metrics.counter("b_requests_total", help: "Requests.", labels: ["route", "class"])
        let second = requests.register("search", "2xx")
        let first = requests.register("billing", "5xx")
        let open = metrics.gauge("a_open", help: "Open connections.")
        let uptime = metrics.function("c_uptime_seconds", help: "Seconds since start.")
        uptime.observe { 12.5 }
        open.set(5)
        open.add(-7)
        requests.add(to: first)
        requests.add(41, to: second)
        requests.add(to: second)
        #expect(
            rendered(metrics) == """
                # HELP a_open Open connections.
                # TYPE a_open gauge
                a_open -2
                # HELP b_requests_total Requests.
                # TYPE b_requests_total counter
                b_requests_total{route="billing",class="5xx"} 1
                b_requests_total{route="search",class="2xx"} 42
                # HELP c_uptime_seconds Seconds since start.
                # TYPE c_uptime_seconds gauge
                c_uptime_seconds 12.5

                """)
    }

    @Test func theSameLabelsAreTheSameSeries() {
        let counter = Metrics().counter("x_total", help: "X.", labels: ["a"])
        let series = counter.register("1")
        #expect(counter.register("1") == series)
        #expect(counter.register("2") != series)
        counter.add(3, to: series)
        #expect(counter.value(of: series) == 3)
        #expect(counter.value(of: counter.register("2")) == 0)
    }

    @Test func aFamilyWithoutLabelsHasItsSeriesAtOnce() {
        let metrics = Metrics()
        let counter = metrics.counter("x_total", help: "X.")
        #expect(rendered(metrics).hasSuffix("\nx_total 0\n"))
        counter.add(.max)
        #expect(rendered(metrics).hasSuffix("\nx_total 18446744073709551615\n"))
        _ = metrics.counter("y_total", help: "Y.", labels: ["l"])
        #expect(rendered(metrics).hasSuffix("# TYPE y_total counter\n"))
    }

    @Test func escapesHelpAndLabels() {
        let metrics = Metrics()
        let gauge = metrics.gauge("x", help: "a \\ b \"c\"\nd", labels: ["l"])
        for value in ["q\"b\\n\nx", "é{},=", "", "\\\"\n"] { _ = gauge.register([bytes(value)]) }
        _ = gauge.register([[0x61, 0xFF, 0xC3, 0x62]])
        #expect(
            rendered(metrics) == #"""
                # HELP x a \\ b "c"\nd
                # TYPE x gauge
                x{l=""} 0
                x{l="\\\"\n"} 0
                x{l="a\#u{FFFD}\#u{FFFD}b"} 0
                x{l="q\"b\\n\nx"} 0
                x{l="é{},="} 0

                """#)
    }

    /// A reader of the format must get back what was put in, whatever it is.
    @Test func anyLabelValueComesBack() {
        var generator = SystemRandomNumberGenerator()
        let alphabet: [Character] = ["\\", "\"", "\n", "n", "{", "}", ",", "=", "é", " ", "a"]
        for _ in 0..<500 {
            let value = String((0..<Int.random(in: 0...12)).map { _ in alphabet.randomElement(using: &generator)! })
            let metrics = Metrics()
            _ = metrics.gauge("x", help: "X.", labels: ["l"]).register([bytes(value)])
            let output = rendered(metrics)
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 4)
            let quoted = lines[2].dropFirst(#"x{l=""#.count).dropLast(#""} 0"#.count)
            #expect(unescaped(quoted) == value)
        }
    }

    private func unescaped(_ quoted: Substring) -> String? {
        var output = ""
        var rest = quoted
        while let character = rest.popFirst() {
            if character == "\"" { return nil }
            guard character == "\\" else {
                output.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": output.append("\n")
            case "\\": output.append("\\")
            case "\"": output.append("\"")
            default: return nil
            }
        }
        return output
    }

    @Test func bucketsAreCumulativeAndBoundsInclusive() {
        let metrics = Metrics()
        let histogram = metrics.histogram(
            "d_seconds", help: "D.", labels: ["r"], bounds: [500_000, 1_000_000, 2_500_000_000])
        let series = histogram.register("a")
        for value: UInt64 in [0, 500_000, 500_001, 1_000_000, 2_500_000_000, 2_500_000_001] {
            histogram.observe(value, for: series)
        }
        #expect(histogram.count(of: series) == 6)
        #expect(
            rendered(metrics) == """
                # HELP d_seconds D.
                # TYPE d_seconds histogram
                d_seconds_bucket{r="a",le="0.0005"} 2
                d_seconds_bucket{r="a",le="0.001"} 4
                d_seconds_bucket{r="a",le="2.5"} 5
                d_seconds_bucket{r="a",le="+Inf"} 6
                d_seconds_sum{r="a"} 5.002000002
                d_seconds_count{r="a"} 6

                """)
    }

    @Test func histogramSeriesDoNotMix() {
        let metrics = Metrics()
        let histogram = metrics.histogram("b_bytes", help: "B.", labels: ["r"], bounds: [10], scale: .asIs)
        let (z, a) = (histogram.register("z"), histogram.register("a"))
        histogram.observe(11, for: a)
        histogram.observe(10, for: z)
        histogram.observe(1, for: z)
        #expect(
            rendered(metrics).split(separator: "\n").dropFirst(2).joined(separator: "\n") == """
                b_bytes_bucket{r="a",le="10"} 0
                b_bytes_bucket{r="a",le="+Inf"} 1
                b_bytes_sum{r="a"} 11
                b_bytes_count{r="a"} 1
                b_bytes_bucket{r="z",le="10"} 2
                b_bytes_bucket{r="z",le="+Inf"} 2
                b_bytes_sum{r="z"} 11
                b_bytes_count{r="z"} 2
                """)
    }

    @Test func defaultBucketsGoFromHalfAMillisecondToAMinute() {
        let metrics = Metrics()
        let histogram = metrics.histogram("d_seconds", help: "D.")
        histogram.observe(.max)
        let output = rendered(metrics)
        #expect(output.contains("d_seconds_bucket{le=\"0.0005\"} 0\n"))
        #expect(output.contains("d_seconds_bucket{le=\"60\"} 0\nd_seconds_bucket{le=\"+Inf\"} 1\n"))
    }

    @Test func functionsAreReadAtEachScrape() {
        let metrics = Metrics()
        let metric = metrics.function("f_total", help: "F.", kind: .counter, labels: ["l"])
        var value: Double? = 1
        metric.observe([bytes("a")]) { value }
        metric.observe([bytes("b")]) { .infinity }
        #expect(rendered(metrics).hasSuffix("# TYPE f_total counter\nf_total{l=\"a\"} 1\nf_total{l=\"b\"} +Inf\n"))
        value = nil
        #expect(rendered(metrics).hasSuffix("# TYPE f_total counter\nf_total{l=\"b\"} +Inf\n"))
        metric.observe([bytes("b")]) { -0.25 }
        #expect(rendered(metrics).hasSuffix("counter\nf_total{l=\"b\"} -0.25\n"))
        metric.removeAll()
        #expect(rendered(metrics).hasSuffix("counter\n"))
    }
}
