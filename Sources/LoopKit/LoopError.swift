import CLoopShims

/// A system call of the loop failed. Printable: names what was tried, never data.
package struct LoopError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, in words for an operator: `bind 127.0.0.1:8080`.
    package let action: String
    /// The system's number (`EADDRINUSE` ...); 0 when libevent gave no reason.
    package let code: Int32

    package init(_ action: String, code: Int32) {
        self.action = action
        self.code = code
    }

    /// The host has no such address, or does not know its family at all.
    package var isMissingAddress: Bool { code == Int32(gw_addrnotavail) || code == Int32(gw_afnosupport) }

    package var description: String { "\(action): \(ErrorText.of(code))" }
}
