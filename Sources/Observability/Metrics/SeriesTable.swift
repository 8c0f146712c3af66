import Bytes
import JSONBytes

/// Label sets of a family, rendered once at registration.
struct SeriesTable {
    /// `route="a",status="2xx"`, escaped, without braces; index = `Series.index`.
    private(set) var labels: [[UInt8]] = []
    private var indices: [[UInt8]: Int] = [:]

    var count: Int { labels.count }

    /// Indices in the order of their label texts.
    var sorted: [Int] { labels.indices.sorted { labels[$0].lexicographicallyPrecedes(labels[$1]) } }

    /// The series with these values; the same values give the same series again. `isNew` tells to add a cell.
    mutating func register(_ values: [[UInt8]], names: [[UInt8]]) -> (series: Series, isNew: Bool) {
        precondition(values.count == names.count, "a metric needs one value per label")
        var text: [UInt8] = []
        for (name, value) in zip(names, values) {
            if !text.isEmpty { text.append(0x2C) }
            text.append(contentsOf: name)
            text.append(contentsOf: [0x3D, 0x22])
            MetricText.appendEscaped(value, escapesQuote: true, to: &text)
            text.append(0x22)
        }
        if let index = indices[text] { return (Series(index: index), false) }
        indices[text] = labels.count
        labels.append(text)
        return (Series(index: labels.count - 1), true)
    }
}
