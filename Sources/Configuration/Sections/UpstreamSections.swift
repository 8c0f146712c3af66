import Bytes
import Domain

/// The small sections of an upstream.
enum UpstreamSections {
    static var timeouts: Section<UpstreamPlan.Timeouts> {
        Section(UpstreamPlan.Timeouts()) { initial in
            [
                .key(
                    "connect", .positiveDuration, into: \.connect, default: initial,
                    "Name look-up, TCP and TLS together."),
                .key(
                    "first_byte", .positiveDuration, into: \.firstByte, default: initial,
                    "From the last byte of the request to the end of the answer's head."),
                .key(
                    "idle", .duration, into: \.idle, default: initial,
                    "Without a byte in either direction; 0 is without limit, for event streams that pause for long."),
                .key("total", .duration, into: \.total, default: initial, "The whole transfer; 0 is without limit."),
            ]
        }
    }

    static var tls: Section<UpstreamPlan.TLS> {
        Section(UpstreamPlan.TLS()) { initial in
            [
                .key(
                    "verify", .flag, into: \.verify, default: initial,
                    "Checks certificate and host name. `false` lets anyone in between read the credentials."),
                .key(
                    "pins", ValueReader.pin.list, into: \.pins, default: initial,
                    "Public keys that may appear, as `sha256//BASE64`; checked in addition to the chain."),
                .key(
                    "ca_file", .text("path"), into: \.authorityFile, note: "the system's",
                    "Certificate authorities, PEM; relative to the config file."),
                .key(
                    "client_certificate", .text("path"), into: \.clientCertificate, note: "none",
                    "Certificate shown to the upstream, PEM; relative to the config file."),
                .key(
                    "client_key", .text("path"), into: \.clientKey, note: "none",
                    "Private key of the client certificate, PEM; only its owner may read it."),
            ]
        }
    }

    static var breaker: Section<ReachabilityPlan> {
        Section(ReachabilityPlan()) { initial in
            [
                .key(
                    "after", .integer(1...1_000_000), into: \.failures, default: initial,
                    "Transport failures in a row after which requests are answered at once."),
                .key(
                    "wait", .positiveDuration, into: \.wait, default: initial,
                    "Pause before the first trial; doubled after each failed one."),
                .key("wait_max", .positiveDuration, into: \.waitMax, default: initial, "Longest pause."),
            ]
        }
    }

    static var limits: Section<UpstreamPlan> {
        Section(UpstreamPlan(name: "", scheme: .http, host: "", port: 0)) { initial in
            [
                .key(
                    "in_flight", .integer(1...100_000), into: \.maxInFlight, default: initial,
                    "Most requests at once; more wait."),
                .key(
                    "queued", .integer(0...1_000_000), into: \.maxQueued, default: initial,
                    "Most requests that wait; above: 503 `overloaded`."),
                .key(
                    "queue_time", .positiveDuration, into: \.timeouts.queue, default: initial,
                    "Longest wait for a place; then 503 `overloaded`."),
                .key(
                    "idle_connections", .integer(0...100_000), into: \.maxIdle, default: initial,
                    "Idle connections kept open. 0: each request has a connection of its own."),
                .key(
                    "idle_age", .duration, into: \.idleAge, default: initial,
                    "Age after which an idle connection is not used again; keep it below the upstream's own."),
                .key(
                    "answer_fields", .integer(1...10_000), into: \.maxAnswerFields, default: initial,
                    "Most header fields of one answer; above: `bad_answer`."),
                .key(
                    "interim", .integer(0...1000), into: \.maxInterim, default: initial,
                    "Most interim (1xx) answers before the final one; above: `bad_answer`."),
            ]
        }
    }
}
