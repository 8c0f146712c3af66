import Configuration
import Domain
import HTTPWire
import Observability
import Testing

@testable import Gateway

@Suite struct ReferenceTests {
    @Test func everyLimitOfTheConfigHasItsEffect() {
        let keys = KeyCatalogue.rows.map(\.path).filter { LimitCatalogue.isLimit($0) }
        #expect(keys.filter { LimitEffect.all[$0] == nil } == [])
        #expect(LimitEffect.all.keys.filter { !keys.contains($0) } == [])
        #expect(LimitCatalogue.rows.filter { !$0.isFixed && $0.defaultText.isEmpty }.map(\.name) == [])
    }

    @Test func everyMetricOfALimitExists() {
        let metrics = LimitCatalogue.rows.map(\.metric).filter { !$0.isEmpty }
        let names = MetricCatalogue.rows.map(\.name)
        for metric in metrics { #expect(names.contains(String(metric.prefix { $0 != "{" })), "\(metric)") }
        let reasons = WireRefusal.Reason.allCases.map { LimitEffect.wire($0.rawValue) }
        for metric in metrics where metric.contains("reason=") { #expect(reasons.contains(metric)) }
        let kinds = GatewayError.Kind.allCases.map(\.rawValue)
        for metric in metrics where metric.contains("kind=") {
            #expect(kinds.contains { metric.contains("\"\($0)\"") }, "\(metric)")
        }
    }

    @Test func everyNameThatCountsALimitIsInThePage() {
        // The answer that reaches it is an ordinary one, so that nothing is refused.
        let uncounted: [LimitName] = [.requestsPerConnection]
        for name in LimitName.allCases where !uncounted.contains(name) {
            #expect(LimitCatalogue.markdown.contains("{limit=\"\(name.rawValue)\"}"), "\(name)")
        }
    }

    @Test func metricsAreDescribed() {
        let rows = MetricCatalogue.rows
        #expect(rows.count > 20)
        #expect(rows.allSatisfy { $0.help.hasSuffix(".") && $0.name.hasPrefix("countersign_") })
        #expect(rows.map(\.name) == rows.map(\.name).sorted())
        #expect(rows.first { $0.name == "countersign_requests_total" }?.labels == ["route", "outcome"])
        #expect(MetricCatalogue.markdown.split(separator: "\n").filter { $0.hasPrefix("| `") }.count == rows.count)
    }
}
