import Bytes

/// A number that only grows, one per registered label set.
package final class Counter: MetricFamily {
    let header: MetricHeader
    var typeName: StaticString { "counter" }
    private var table = SeriesTable()
    private var values: [UInt64] = []

    init(_ header: MetricHeader) {
        self.header = header
        if header.labels.isEmpty { _ = register([]) }
    }

    /// The series with these label values, in the order of the label names. Registered at start or reload, never per
    /// request: each series stays for the life of the process.
    package func register(_ values: [[UInt8]]) -> Series {
        let (series, isNew) = table.register(values, names: header.labels)
        if isNew { self.values.append(0) }
        return series
    }

    package func register(_ values: StaticString...) -> Series { register(values.map { $0.bytes }) }

    package func add(_ amount: UInt64 = 1, to series: Series = .only) { values[series.index] &+= amount }

    package func value(of series: Series = .only) -> UInt64 { values[series.index] }

    func renderSeries(into output: inout [UInt8]) {
        for index in table.sorted {
            MetricText.appendName(header.name, labels: table.labels[index], to: &output)
            output.append(decimal: values[index])
            output.append(0x0A)
        }
    }
}
