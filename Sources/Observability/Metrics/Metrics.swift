import Bytes

/// All metric families of one loop, built at start. Not Sendable, no lock: the loop that counts also renders.
///
/// Names and help texts are constants, so a wrong one is a programmer's error and stops the process at start.
package final class Metrics {
    private var families: [any MetricFamily] = []

    package init() {}

    /// A number that only grows. By convention the name ends in `_total`.
    package func counter(_ name: StaticString, help: StaticString, labels: [StaticString] = []) -> Counter {
        let counter = Counter(MetricHeader(name, help: help, labels: labels))
        insert(counter)
        return counter
    }

    /// A number that goes up and down.
    package func gauge(_ name: StaticString, help: StaticString, labels: [StaticString] = []) -> Gauge {
        let gauge = Gauge(MetricHeader(name, help: help, labels: labels))
        insert(gauge)
        return gauge
    }

    /// Counts of observations per bucket. The bounds are in the unit of `observe`; `scale` says how that unit is shown.
    package func histogram(
        _ name: StaticString, help: StaticString, labels: [StaticString] = [], bounds: [UInt64] = Histogram.durations,
        scale: Histogram.Scale = .nanosecondsAsSeconds
    ) -> Histogram {
        let histogram = Histogram(MetricHeader(name, help: help, labels: labels), bounds: bounds, scale: scale)
        insert(histogram)
        return histogram
    }

    /// Numbers that live elsewhere and are read when the metrics are rendered.
    package func function(
        _ name: StaticString, help: StaticString, kind: FunctionMetric.Kind = .gauge, labels: [StaticString] = []
    ) -> FunctionMetric {
        let metric = FunctionMetric(MetricHeader(name, help: help, labels: labels), kind: kind)
        insert(metric)
        return metric
    }

    /// Prometheus text format 0.0.4 (`text/plain; version=0.0.4; charset=utf-8`): families sorted by name, series by
    /// labels, so that two scrapes differ only in numbers.
    package func render(into output: inout [UInt8]) {
        for family in families {
            family.header.render(type: family.typeName, into: &output)
            family.renderSeries(into: &output)
        }
    }

    /// One row per family, for the manual.
    package var rows: [MetricRow] {
        families.map { family in
            MetricRow(
                name: String(decoding: family.header.name, as: UTF8.self), type: "\(family.typeName)",
                labels: family.header.labels.map { String(decoding: $0, as: UTF8.self) },
                help: String(decoding: family.header.help, as: UTF8.self))
        }
    }

    private func insert(_ family: any MetricFamily) {
        let name = family.header.name
        let position = families.firstIndex { !$0.header.name.lexicographicallyPrecedes(name) } ?? families.endIndex
        precondition(
            position == families.endIndex || families[position].header.name != name, "two metrics have the same name")
        families.insert(family, at: position)
    }
}
