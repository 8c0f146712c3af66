package import Expressions

/// HTTP statuses that a message to a client may have.
package enum MessageStatus {
    /// - Throws: what it is instead.
    package static func of(_ value: Value) throws(EvaluationError) -> Int {
        var value = value
        if case .optional(let inner) = value { value = inner ?? .null }
        guard let status = value.int, let status = Int(exactly: status) else {
            throw EvaluationError(.badArgument, "a value of type \(value.resolved.typeName.name) is no status")
        }
        if let problem = problem(with: status) { throw EvaluationError(.badArgument, problem) }
        return status
    }

    /// A message is a body, and these have none (RFC 9110 15.3.5, 15.3.6, 15.4.5).
    package static func problem(with status: Int) -> String? {
        guard 200...599 ~= status else { return "a status is a number from 200 to 599" }
        return [204, 205, 304].contains(status) ? "an answer with the status \(status) has no body" : nil
    }
}
