import Bytes

/// Numbers that are read by a closure at each scrape: descriptors in use, uptime, the age of a session.
package final class FunctionMetric: MetricFamily {
    package enum Kind: Sendable {
        case gauge, counter
    }

    let header: MetricHeader
    var typeName: StaticString { kind == .gauge ? "gauge" : "counter" }
    private let kind: Kind
    private var table = SeriesTable()
    private var reads: [() -> Double?] = []

    init(_ header: MetricHeader, kind: Kind) {
        self.header = header
        self.kind = kind
    }

    /// Reads the series with these label values by `read`; `nil` leaves it out of this scrape. The same values again
    /// replace the closure (reload). The closure must not hold what it should not keep alive.
    package func observe(_ values: [[UInt8]] = [], _ read: @escaping () -> Double?) {
        let (series, isNew) = table.register(values, names: header.labels)
        if isNew { reads.append(read) } else { reads[series.index] = read }
    }

    /// Forgets all series (reload).
    package func removeAll() {
        table = SeriesTable()
        reads = []
    }

    func renderSeries(into output: inout [UInt8]) {
        for index in table.sorted {
            guard let value = reads[index]() else { continue }
            MetricText.appendName(header.name, labels: table.labels[index], to: &output)
            MetricText.append(value, to: &output)
            output.append(0x0A)
        }
    }
}
