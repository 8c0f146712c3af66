/// Why an answer of an upstream is refused. Each means: nothing of it reaches a client, and its connection is not used
/// again.
package enum WireFault: String, Error, Equatable, Sendable, CaseIterable {
    case badStatusLine = "bad_status_line"
    case badVersion = "bad_version"
    case badStatus = "bad_status"
    case unsolicitedUpgrade = "unsolicited_upgrade"
    case tooManyInterim = "too_many_interim"
    case badLineEnd = "bad_line_end"
    case obsoleteFold = "obs_fold"
    case badFieldName = "bad_field_name"
    case badFieldValue = "bad_field_value"
    case tooManyFields = "too_many_fields"
    case headTooLarge = "head_too_large"
    case badContentLength = "bad_content_length"
    case duplicateContentLength = "duplicate_content_length"
    case badTransferEncoding = "bad_transfer_encoding"
    case conflictingLength = "conflicting_length"
    case unexpectedLine = "unexpected_line"
    case badChunk = "bad_chunk"
}
