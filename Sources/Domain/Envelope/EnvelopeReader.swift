import Bytes
import Expressions
import HTTPWire

/// Reads an upstream's envelope: what the declared expressions find, verbatim. Each is taken by itself: a field that is
/// missing makes that part absent, not the answer an error. Only `ok` must be told: whether it worked is what everybody asks.
enum EnvelopeReader {
    /// What the answer in `scope.response` says, by its status and by what its body is to the envelope. Redirects, and
    /// statuses that have no body, are not asked about (`EnvelopeRule.tells`).
    ///
    /// | status | read | another kind (a page, broken JSON) | no body |
    /// |---|---|---|---|
    /// | 2xx | as read; `bad_answer` where `ok` errs | `bad_answer` | success without data, but for an `ok` that the head decides |
    /// | 4xx | as read | failure, by its status | the same, but for such an `ok` |
    /// | 5xx and above | as read | `upstream_error` | the same |
    ///
    /// A refusal needs no body to be understood, and an empty 201 made into an error would invite the client to create it
    /// all again. A page under a 2xx is another matter: a login page or a portal, not what was asked for.
    /// - Parameter limit: most bytes that a content coding may decode to.
    static func message(
        _ plan: EnvelopePlan, _ scope: ExchangeScope, limit: Int
    ) throws(GatewayError) -> RenderedMessage {
        guard let response = scope.response else {
            throw GatewayError(.internal, detail: "there is no answer to render")
        }
        let status = response.status
        var faults: [EnvelopeFault] = []
        guard let problem = problem(response, plan, scope, limit, &faults) else {
            let ok = try verdict(plan, scope, status, &faults)
            var message = read(plan, scope, ok: ok ?? false, status: status, &faults)
            message.faults = faults
            if ok == nil, message.message.isAbsent { message.message = .text(response.plainText ?? phrase(response)) }
            return message
        }
        response.close(problem)
        if status >= 500 {
            // An error page of a server in front of the upstream, most of the time.
            let wait = LoginWait.told(response.fields, wall: scope.now.seconds)
            throw GatewayError(.upstreamError, detail: "status \(status), and \(problem)", retryAfter: wait)
        }
        guard status >= 400 || response.isBlank else {
            throw GatewayError(.badAnswer, detail: "\(problem) (status \(status))")
        }
        // What looks at the head alone finds it here too. That the others err says no more than the problem does.
        var others: [EnvelopeFault] = []
        let told = response.isBlank ? (try? plan.ok?.settled(scope))?.bool : nil
        var message = read(plan, scope, ok: told ?? (status < 400), status: status, &others)
        message.faults = faults
        if message.message.isAbsent { message.message = .text(response.plainText ?? phrase(response)) }
        return message
    }

    /// Whether it worked; `nil`: a refusal that says so by its status alone.
    private static func verdict(
        _ plan: EnvelopePlan, _ scope: ExchangeScope, _ status: Int, _ faults: inout [EnvelopeFault]
    ) throws(GatewayError) -> Bool? {
        guard let ok = plan.ok else { return 200..<300 ~= status }
        let reason: String
        do {
            let value = try ok.evaluate(scope)
            if let ok = value.bool { return ok }
            reason = "a value of type \(value.resolved.typeName.name), no bool"
        } catch {
            reason = "\(error)"
        }
        guard status >= 400 else {
            throw GatewayError(
                .badAnswer, detail: "envelope \(plan.name), ok cannot be told: \(reason) (status \(status))")
        }
        faults.append(EnvelopeFault(part: .ok, reason: reason))
        return nil
    }

    private static func read(
        _ plan: EnvelopePlan, _ context: any EvaluationContext, ok: Bool, status: Int,
        _ faults: inout [EnvelopeFault]
    ) -> RenderedMessage {
        func value(_ part: EnvelopeFault.Part, _ expression: Expression?) -> Value {
            guard let expression else { return .null }
            do {
                let value = try expression.evaluate(context)
                if case .optional(let inner) = value { return inner ?? .null }
                return value
            } catch {
                // A success needs no code or text to be one, a failure has no data.
                if (part == .data) == ok { faults.append(EnvelopeFault(part: part, reason: "\(error)")) }
                return .null
            }
        }
        return RenderedMessage(
            ok: ok, code: value(.code, plan.code), message: value(.message, plan.message),
            data: value(.data, plan.data), status: status)
    }

    /// Why the answer cannot be read by the envelope; `nil`: it can. One that looks at the text reads anything: a login page,
    /// a line of `k=v`.
    private static func problem(
        _ response: ResponseView, _ plan: EnvelopePlan, _ scope: ExchangeScope, _ limit: Int,
        _ faults: inout [EnvelopeFault]
    ) -> String? {
        if response.isBlank { return "the answer is empty" }
        let reading = response.read(by: plan, scope, limit: limit)
        if let fault = reading.fault { faults.append(fault) }
        if let problem = reading.problem { return problem }
        if plan.reads.contains(.text) { return nil }
        if plan.reads.contains(.xml), (try? response.xml()) != nil { return nil }
        if plan.reads != .xml, (try? response.json()) != nil { return nil }
        return "the answer is not \(plan.reads.contains(.xml) ? "XML" : "JSON")"
    }

    private static func phrase(_ response: ResponseView) -> [UInt8] {
        let phrase = response.head.phrase
        return phrase.isEmpty ? Array("status \(response.status)".utf8) : phrase
    }
}

extension ResponseView {
    /// Nothing, or nothing but blanks.
    var isBlank: Bool { received.allSatisfy(Self.isBlank) }

    /// A short line of plain text, as small servers and load balancers explain themselves; never a page.
    var plainText: [UInt8]? {
        guard let type = fields.first("content-type", folding: true), MediaType.essence(of: type) == Self.plain,
            received.count <= 512
        else { return nil }
        var line = received.drop(while: Self.isBlank)
        while let last = line.last, Self.isBlank(last) { line.removeLast() }
        let isLine = !line.isEmpty && line.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return isLine && String(validating: line, as: UTF8.self) != nil ? Array(line) : nil
    }

    private static let plain = Array("text/plain".utf8)

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
