import Bytes

/// A whole number that goes up and down, one per registered label set.
package final class Gauge: MetricFamily {
    let header: MetricHeader
    var typeName: StaticString { "gauge" }
    private var table = SeriesTable()
    private var values: [Int64] = []

    init(_ header: MetricHeader) {
        self.header = header
        if header.labels.isEmpty { _ = register([]) }
    }

    /// See `Counter.register(_:)`.
    package func register(_ values: [[UInt8]]) -> Series {
        let (series, isNew) = table.register(values, names: header.labels)
        if isNew { self.values.append(0) }
        return series
    }

    package func register(_ values: StaticString...) -> Series { register(values.map { $0.bytes }) }

    package func set(_ value: Int64, for series: Series = .only) { values[series.index] = value }
    package func add(_ amount: Int64, to series: Series = .only) { values[series.index] &+= amount }

    package func value(of series: Series = .only) -> Int64 { values[series.index] }

    func renderSeries(into output: inout [UInt8]) {
        for index in table.sorted {
            MetricText.appendName(header.name, labels: table.labels[index], to: &output)
            output.append(decimal: values[index])
            output.append(0x0A)
        }
    }
}
