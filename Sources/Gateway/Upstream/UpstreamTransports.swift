import CurlUpstream
import Domain
import LoopKit
import PlainUpstream

/// Which transport speaks to an upstream.
enum UpstreamTransports {
    /// Plain HTTP/1.1 to an address needs nothing that libcurl has, and costs a third less without it (decision 009).
    static func make(loop: EventLoop, plan: UpstreamPlan) -> any UpstreamTransport {
        PlainTransport(loop: loop, plan: plan) ?? CurlTransport(loop: loop, plan: plan)
    }
}
