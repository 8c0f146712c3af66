package import Observability

/// Every metric, from the registrations that the gateway itself makes.
package enum MetricCatalogue {
    /// Sorted by name.
    package static var rows: [MetricRow] {
        let metrics = GatewayMetrics()
        _ = WorkerGauges.Families(metrics.registry, nil)
        return metrics.registry.rows
    }

    /// The manual's page, with a line break at the end.
    package static var markdown: String {
        var text = "# Metrics\n\nOn the admin listener, `GET /metrics`, in the text format of Prometheus.\n\n"
        text += "| metric | type | labels | meaning |\n|---|---|---|---|\n"
        for row in rows {
            let labels = row.labels.map { "`\($0)`" }.joined(separator: ", ")
            text += "| `\(row.name)` | \(row.type) | \(labels) | \(row.help) |\n"
        }
        return text
    }
}
