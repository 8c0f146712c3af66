/// Why bytes from a client are no request that can be answered in earnest.
package struct WireRefusal: Error, Equatable, Sendable {
    /// One value per rule; the raw value is a metric label and never carries bytes of the peer.
    package enum Reason: String, Sendable, CaseIterable {
        case badRequestLine = "bad_request_line"
        case badTarget = "bad_target"
        case dotSegment = "dot_segment"
        case badVersion = "bad_version"
        case unsupportedVersion = "unsupported_version"
        case unknownMethod = "unknown_method"
        case refusedMethod = "refused_method"
        case bareLineFeed = "bare_lf"
        case bareCarriageReturn = "bare_cr"
        case obsoleteFold = "obs_fold"
        case badFieldName = "bad_field_name"
        case badFieldValue = "bad_field_value"
        case badContentLength = "bad_content_length"
        case duplicateContentLength = "duplicate_content_length"
        case badTransferEncoding = "bad_transfer_encoding"
        case unsupportedTransferEncoding = "unsupported_transfer_encoding"
        case conflictingLength = "conflicting_length"
        case missingHost = "missing_host"
        case duplicateHost = "duplicate_host"
        case badHost = "bad_host"
        case foreignHost = "foreign_host"
        case badExpectation = "bad_expectation"
        case requestLineTooLong = "request_line_too_long"
        case headTooLarge = "head_too_large"
        case tooManyFields = "too_many_fields"
        case fieldNameTooLong = "field_name_too_long"
        case badChunk = "bad_chunk"
        case chunkLineTooLong = "chunk_line_too_long"
        case chunkExtensionsTooLarge = "chunk_extensions_too_large"
        case badTrailer = "bad_trailer"
        case trailersTooLarge = "trailers_too_large"
        case bodyTooLarge = "body_too_large"

        /// Status that answers this refusal.
        package var status: Int {
            switch self {
            case .refusedMethod: 405
            case .bodyTooLarge: 413
            case .requestLineTooLong: 414
            case .badExpectation: 417
            case .foreignHost: 421
            case .headTooLarge, .tooManyFields, .fieldNameTooLong, .trailersTooLarge: 431
            case .unknownMethod, .unsupportedTransferEncoding: 501
            case .unsupportedVersion: 505
            case .badRequestLine, .badTarget, .dotSegment, .badVersion, .bareLineFeed, .bareCarriageReturn,
                .obsoleteFold, .badFieldName, .badFieldValue, .badContentLength, .duplicateContentLength,
                .badTransferEncoding, .conflictingLength, .missingHost, .duplicateHost, .badHost, .badChunk,
                .chunkLineTooLong, .chunkExtensionsTooLarge, .badTrailer:
                400
            }
        }
    }

    package let reason: Reason
    /// The connection must close after the answer: where the next message starts is not certain, or not worth reading.
    package let close: Bool

    package init(_ reason: Reason, close: Bool = true) {
        self.reason = reason
        self.close = close
    }

    /// 400, 405, 413, 414, 417, 421, 431, 501 or 505.
    package var status: Int { reason.status }
}
