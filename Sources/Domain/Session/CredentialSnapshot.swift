import Bytes
import Cryptography
package import Expressions

/// What a login brought, before it has a number. Times are relative: the machine adds the clock.
package struct CredentialGrant: Sendable {
    /// One per name of `SessionPlan.captureNames`, in slot order; `.null` when a step did not capture it.
    package var captures: [CapturedValue]
    /// Tells whether two logins brought the same credential, without a second copy of the secret: SHA-256 over the
    /// captures. Empty: nothing was captured that could tell (a cookie, a static credential), so never "the same".
    package var fingerprint: [UInt8]
    /// Nanoseconds from the answer to the hard expiry; `nil` when unknown.
    package var lifetime: UInt64?
    /// Hard expiry in unix seconds of the wall clock: after a suspend the monotonic clock is late (peers 31).
    package var wallExpiry: Int64?

    package init(captures: [CapturedValue], fingerprint: [UInt8], lifetime: UInt64? = nil, wallExpiry: Int64? = nil) {
        self.captures = captures
        self.fingerprint = fingerprint
        self.lifetime = lifetime
        self.wallExpiry = wallExpiry
    }

    /// Takes the fingerprint over every capture but the special `expires_in` and `expires_at`, which differ between two
    /// answers that hand out the same token.
    package init(
        captures values: [Value], names: [String], lifetime: UInt64? = nil, wallExpiry: Int64? = nil,
        cookies: [[UInt8]] = []
    ) {
        let captures = values.map { CapturedValue($0) }
        var text: [UInt8] = []
        for (slot, capture) in captures.enumerated() where !capture.isNull {
            if slot < names.count, CredentialExpiry.isSpecial(names[slot]) { continue }
            text.append(decimal: Int64(slot))
            text.append(0x3A)
            capture.value.appendJSON(to: &text)
            text.append(0x0A)
        }
        for cookie in cookies {
            text.append(contentsOf: cookie)
            text.append(0x0A)
        }
        self.init(
            captures: captures, fingerprint: text.isEmpty ? [] : Digest.hash(.sha256, text.span), lifetime: lifetime,
            wallExpiry: wallExpiry)
    }
}

/// One credential of a session, numbered. Immutable and shared: an exchange keeps the one it was sent with, so that a
/// late refusal can be told from one of the current credential.
package final class CredentialSnapshot: Sendable {
    /// Grows with each login; 0 only for a session without a login.
    package let generation: UInt64
    /// By slot of the plan's `captureNames`.
    package let captures: [CapturedValue]
    package let fingerprint: [UInt8]
    /// Monotonic nanoseconds.
    package let obtainedAt: UInt64
    /// Hard expiry, monotonic nanoseconds; `nil` when unknown.
    package let expiresAt: UInt64?
    /// Hard expiry, unix seconds.
    package let wallExpiry: Int64?

    package init(generation: UInt64, grant: CredentialGrant, obtainedAt: UInt64) {
        self.generation = generation
        captures = grant.captures
        fingerprint = grant.fingerprint
        self.obtainedAt = obtainedAt
        expiresAt = grant.lifetime.map { obtainedAt.addingSaturated($0) }
        wallExpiry = grant.wallExpiry
    }

    /// For expressions: one value per slot.
    package var values: [Value] { captures.map(\.value) }

    /// Past its hard expiry by either clock. A wall clock that jumps forward costs one login and no more, since the next
    /// credential's expiry is taken from the new time.
    package func isExpired(now: UInt64, wall: Int64?) -> Bool {
        if let expiresAt, now >= expiresAt { return true }
        // Whole seconds: the second in which it ends may still be before the end.
        if let wallExpiry, let wall, wall > wallExpiry { return true }
        return false
    }
}

/// A credential never prints its captures, whatever prints it.
extension CredentialSnapshot: CustomStringConvertible, CustomReflectable {
    package var description: String { "credential \(generation)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension CredentialGrant: CustomStringConvertible, CustomReflectable {
    package var description: String { "credential grant" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension UInt64 {
    /// Sum that stops at the largest number: a deadline that far away never comes.
    func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    func multipliedSaturated(by other: UInt64) -> UInt64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    /// Difference that stops at zero.
    func subtractingSaturated(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
