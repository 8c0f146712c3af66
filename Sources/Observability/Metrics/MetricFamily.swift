/// What the registry needs to know of a family.
protocol MetricFamily: AnyObject {
    var header: MetricHeader { get }
    var typeName: StaticString { get }
    func renderSeries(into output: inout [UInt8])
}
