import Bytes

/// Name, help text and label names of a family.
struct MetricHeader {
    let name: [UInt8]
    let labels: [[UInt8]]
    let help: [UInt8]

    init(_ name: StaticString, help: StaticString, labels: [StaticString]) {
        self.name = name.bytes
        self.help = help.bytes
        self.labels = labels.map { $0.bytes }
        precondition(Self.isName(self.name, allowsColon: true), "not a metric name")
        for label in self.labels {
            // `le` belongs to histograms, `__` to Prometheus itself.
            let isReserved = label == [0x6C, 0x65] || label.starts(with: [0x5F, 0x5F])
            precondition(Self.isName(label, allowsColon: false) && !isReserved, "not a label name")
        }
    }

    func render(type: StaticString, into output: inout [UInt8]) {
        output.append(contentsOf: "# HELP ".utf8)
        output.append(contentsOf: name)
        output.append(0x20)
        MetricText.appendEscaped(help, escapesQuote: false, to: &output)
        output.append(contentsOf: "\n# TYPE ".utf8)
        output.append(contentsOf: name)
        output.append(0x20)
        output.append(contentsOf: type.bytes)
        output.append(0x0A)
    }

    private static func isName(_ name: [UInt8], allowsColon: Bool) -> Bool {
        guard let first = name.first, !ASCII.isDigit(first) else { return false }
        return name.allSatisfy {
            ASCII.isAlpha($0) || ASCII.isDigit($0) || $0 == 0x5F || ($0 == 0x3A && allowsColon)
        }
    }
}
