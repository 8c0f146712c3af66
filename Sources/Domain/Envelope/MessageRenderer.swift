import Bytes
import Expressions

/// Turns an upstream's answer, or an error of our own, into what a route's clients read.
package enum MessageRenderer {
    /// The answer in `scope.response`, read by `rule.from` and told in `rule.target`. For one that the rule does not tell
    /// (`EnvelopeRule.tells`) the caller passes the answer as it is instead.
    /// - Parameter limit: most bytes that a content coding may decode to.
    /// - Throws: `bad_answer` and `upstream_error`, see `EnvelopeReader`.
    package static func render(
        _ scope: ExchangeScope, rule: EnvelopeRule, limit: Int = ResponseView.loginLimit
    ) throws(GatewayError) -> RenderedAnswer {
        var message = try EnvelopeReader.message(rule.from, scope, limit: limit)
        settleStatus(of: &message, rule, scope)
        return render(message, scope, as: dialect(of: rule))
    }

    /// An answer that the gateway itself makes. `rule` is the route's (`nil`: no route, or no envelope).
    package static func render(
        _ error: GatewayError, _ response: ErrorResponse, texts: ErrorTexts, language: Language, rule: EnvelopeRule?,
        scope: ExchangeScope
    ) -> RenderedAnswer {
        var message = message(for: error, response, texts: texts, language: language)
        if let rule { settleStatus(of: &message, rule, scope) }
        return render(message, scope, as: rule.map { dialect(of: $0) } ?? .standard)
    }

    /// The message of an error: its localized text, and what the machine reads.
    package static func message(
        for error: GatewayError, _ response: ErrorResponse, texts: ErrorTexts, language: Language
    ) -> RenderedMessage {
        var message = RenderedMessage(
            ok: false, code: .null, message: .text(texts.text(error.kind, language)), data: .null,
            status: response.status)
        message.kind = error.kind.rawValue
        message.detail = error.detail
        message.retryAfter = response.retryAfter
        return message
    }

    private static func settleStatus(of message: inout RenderedMessage, _ rule: EnvelopeRule, _ scope: ExchangeScope) {
        switch rule.status {
        case .keep: break
        case .map:
            if message.ok, message.status >= 400 { message.status = 200 }
            if !message.ok, 200..<300 ~= message.status { message.status = 422 }
        case .given(let expression):
            scope.message = message
            defer { scope.message = nil }
            do {
                message.status = try MessageStatus.of(try expression.evaluate(scope))
            } catch {
                message.faults.append(EnvelopeFault(part: .status, reason: "\(error)"))
            }
        }
    }

    /// Fields of an upstream's answer that do not fit a body made anew: its type, its length and coding, and what was
    /// computed over the old bytes or is good for them alone (validators, digests, ranges: RFC 9110 8.3 to 8.8, 14; message
    /// signatures: RFC 9421; checksums and metadata of a stored object). What is about the resource and the request stays:
    /// `Location`, `Retry-After`, `WWW-Authenticate`, `Allow`, `Vary`.
    package static func isReplaced(_ name: Span<UInt8>) -> Bool {
        if OwnedFields.contains(replaced, name, folding: true) { return true }
        // Nearly no name gets further.
        guard name.count > 2, name[0] | 0x20 == 0x78, name[1] == 0x2D else { return false }
        return replacedPrefixes.contains { prefix in
            name.count >= prefix.count && ASCII.equalFolded(name.extracting(0..<prefix.count), prefix.span)
        }
    }

    private static let replaced: [[UInt8]] = [
        "content-type", "content-length", "content-encoding", "content-range", "accept-ranges", "etag", "content-md5",
        "digest", "content-digest", "repr-digest", "last-modified", "content-disposition", "signature",
        "signature-input",
    ].map { Array($0.utf8) }

    /// What the object stores of Amazon, Google, Microsoft, Alibaba, Tencent and Huawei tell about the bytes of an object.
    private static let replacedPrefixes: [[UInt8]] = [
        "x-amz-checksum-", "x-amz-meta-", "x-goog-hash", "x-goog-stored-content-", "x-goog-meta-", "x-ms-blob-content-",
        "x-ms-content-", "x-ms-meta-", "x-oss-hash-", "x-oss-meta-", "x-cos-hash-", "x-cos-meta-", "x-obs-meta-",
    ].map { Array($0.utf8) }

    private enum Dialect {
        case standard, problem
        case declared(EnvelopePlan)
    }

    private static func dialect(of rule: EnvelopeRule) -> Dialect {
        if case .problem = rule.target { return .problem }
        guard let plan = rule.dialect, !plan.render.isEmpty else { return .standard }
        return .declared(plan)
    }

    /// A declared dialect whose templates err gives way to the standard envelope: the upstream may have acted, and the client
    /// must hear what it said.
    private static func render(
        _ message: RenderedMessage, _ scope: ExchangeScope, as dialect: Dialect
    ) -> RenderedAnswer {
        var body: [UInt8] = []
        var contentType = StandardEnvelope.contentType
        var faults = message.faults
        switch dialect {
        case .standard: StandardEnvelope.append(message, to: &body)
        case .problem:
            ProblemDetails.append(message, to: &body)
            if !message.ok { contentType = ProblemDetails.contentType }
        case .declared(let plan):
            scope.message = message
            defer { scope.message = nil }
            do {
                try EnvelopeRender.append(plan, scope, to: &body)
                contentType = plan.renderType
            } catch {
                faults.append(error)
                body.removeAll()
                StandardEnvelope.append(message, to: &body)
            }
        }
        return RenderedAnswer(status: message.status, contentType: contentType, body: body, faults: faults)
    }
}
