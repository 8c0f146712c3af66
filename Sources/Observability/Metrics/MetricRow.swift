/// What the manual says of one metric family.
package struct MetricRow: Sendable, Equatable {
    package var name: String
    /// `counter`, `gauge` or `histogram`.
    package var type: String
    package var labels: [String]
    package var help: String
}
