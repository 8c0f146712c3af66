import Bytes

/// Header fields that carry credentials, whatever the config says about them.
package enum SensitiveFields {
    private static let client: [[UInt8]] = ["authorization", "cookie", "proxy-authorization"].map { Array($0.utf8) }
    private static let answer: [[UInt8]] = [
        "set-cookie", "set-cookie2", "authorization", "proxy-authorization", "authentication-info",
        "proxy-authentication-info", "x-auth-token", "x-subject-token", "x-access-token", "x-refresh-token",
    ].map { Array($0.utf8) }

    /// Credentials of the client itself: on a route with a session they never pass (dialects 3.3 rule 9).
    package static func isClientCredential(_ name: Span<UInt8>) -> Bool {
        OwnedFields.contains(client, name, folding: true)
    }

    /// Credentials in an answer: on a route with a session the client must not see them (reliability 3.1).
    package static func isAnswerCredential(_ name: Span<UInt8>) -> Bool {
        OwnedFields.contains(answer, name, folding: true)
    }
}
