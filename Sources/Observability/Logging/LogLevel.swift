import Bytes

/// How much a line matters. `error`: a request failed because of us or the upstream; `warning`: something failed and
/// recovered; `info`: start, stop, reload, a login's change; `debug`: the rest.
package enum LogLevel: UInt8, Sendable, Comparable, CaseIterable {
    case debug, info, warning, error

    /// Word in a log line and in the configuration.
    package var name: StaticString {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// `nil` for any other word.
    package init?(_ name: Span<UInt8>) {
        for level in Self.allCases where ASCII.equal(level.name.bytes.span, name) {
            self = level
            return
        }
        return nil
    }

    package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}
