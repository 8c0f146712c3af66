import Bytes

/// Observations counted in fixed buckets, one set per registered label set. An observation costs a scan of at most 16 bounds
/// and three adds; the buckets become cumulative only when rendered.
package final class Histogram: MetricFamily {
    /// How the whole numbers given to `observe` are shown.
    package enum Scale: Sendable {
        case nanosecondsAsSeconds, asIs

        var decimals: Int { self == .asIs ? 0 : 9 }
    }

    /// 0.5 ms to 60 s, in nanoseconds: from an answer out of memory to the longest default deadline.
    package static let durations: [UInt64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000, 60_000_000_000,
    ]

    let header: MetricHeader
    var typeName: StaticString { "histogram" }
    private let bounds: [UInt64]
    private let scale: Scale
    private var table = SeriesTable()
    /// Per series: one cell per bound, one for what is larger, the sum. One array, so that an observation touches one.
    private var cells: [UInt64] = []
    private var stride: Int { bounds.count + 2 }

    init(_ header: MetricHeader, bounds: [UInt64], scale: Scale) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds must ascend")
        self.header = header
        self.bounds = bounds
        self.scale = scale
        if header.labels.isEmpty { _ = register([]) }
    }

    /// See `Counter.register(_:)`.
    package func register(_ values: [[UInt8]]) -> Series {
        let (series, isNew) = table.register(values, names: header.labels)
        if isNew { cells.append(contentsOf: repeatElement(0, count: stride)) }
        return series
    }

    package func register(_ values: StaticString...) -> Series { register(values.map { $0.bytes }) }

    /// A bound belongs to its bucket (`le`: less or equal).
    package func observe(_ value: UInt64, for series: Series = .only) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket &+= 1 }
        let start = series.index * stride
        cells[start + bucket] &+= 1
        cells[start + stride - 1] &+= value
    }

    package func count(of series: Series = .only) -> UInt64 {
        let start = series.index * stride
        return cells[start...start + bounds.count].reduce(0, &+)
    }

    func renderSeries(into output: inout [UInt8]) {
        for index in table.sorted {
            let labels = table.labels[index]
            var total: UInt64 = 0
            for bucket in 0...bounds.count {
                total &+= cells[index * stride + bucket]
                MetricText.appendName(
                    header.name, suffix: "_bucket", labels: labels, extra: bound(bucket), to: &output)
                output.append(decimal: total)
                output.append(0x0A)
            }
            MetricText.appendName(header.name, suffix: "_sum", labels: labels, to: &output)
            MetricText.append(cells[index * stride + stride - 1], decimals: scale.decimals, to: &output)
            output.append(0x0A)
            MetricText.appendName(header.name, suffix: "_count", labels: labels, to: &output)
            output.append(decimal: total)
            output.append(0x0A)
        }
    }

    private func bound(_ bucket: Int) -> [UInt8] {
        var text = Array("le=\"".utf8)
        if bucket < bounds.count {
            MetricText.append(bounds[bucket], decimals: scale.decimals, to: &text)
        } else {
            text.append(contentsOf: "+Inf".utf8)
        }
        text.append(0x22)
        return text
    }
}
