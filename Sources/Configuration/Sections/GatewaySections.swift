import Domain

/// `limits` and `log`.
enum GatewaySections {
    static var limits: Section<GatewayLimits> {
        Section(GatewayLimits()) { initial in counts(initial) + times(initial) }
    }

    private static func counts(_ initial: GatewayLimits) -> [Field<GatewayLimits>] {
        [
            .key(
                "connections", .integer(1...1_000_000), into: \.connections, default: initial,
                "Open client connections; above: 503 and close."),
            .key(
                "in_flight", .integer(1...1_000_000), into: \.inFlight, default: initial,
                "Exchanges under way; above: 503 `overloaded`."),
            .key(
                "request_line", .size(64...(1 << 20)), into: \.requestLine, default: initial,
                "Longest request line; above: 414."),
            .key(
                "head", .size(256...(1 << 20)), into: \.head, default: initial,
                "Largest request head; above: 431."),
            .key("fields", .integer(1...10_000), into: \.fields, default: initial, "Most header fields; above: 431."),
            .key(
                "field_name", .size(16...(1 << 16)), into: \.fieldName, default: initial,
                "Longest field name; above: 431."),
            .key(
                "requests_per_connection", .integer(1...Int(Int32.max)), into: \.requestsPerConnection,
                default: initial, "Requests on one connection; the last answer closes it."),
            .key(
                "held", .size((1 << 16)...(1 << 40)), into: \.held, default: initial,
                "Request bodies that are held whole and answers that are looked into, all together; above: 503 `overloaded`."
            ),
            .key(
                "form_fields", .integer(1...1_000_000), into: \.formFields, default: initial,
                "Most parameters of a query, and fields of a form or parts of a multipart body that is looked into; above: 400 and 413."
            ),
            .key(
                "body_values", .integer(1...4_000_000), into: \.bodyValues, default: initial,
                "Most values and names of a JSON body, or elements and attributes of an XML body, that is taken apart; above: 413."
            ),
            .key(
                "steps", .integer(10_000...1_000_000_000), into: \.steps, default: initial,
                "Most steps of one evaluation of an expression, each about 50 ns of the one thread; above: 413 `too_large` where the request may be the cause."
            ),
            .key(
                "body_rate", .size(0...(1 << 30)), into: \.bodyRate, default: initial,
                "Bytes per second that a request body must average after `body_rate_after`; 0 turns the check off."),
        ]
    }

    private static func times(_ initial: GatewayLimits) -> [Field<GatewayLimits>] {
        [
            .key(
                "head_time", .positiveDuration, into: \.headTime, default: initial,
                "From the first byte of a request head to its last; above: 408 and close."),
            .key(
                "body_idle", .positiveDuration, into: \.bodyIdle, default: initial,
                "Between two pieces of a request body; above: 408 and close."),
            .key(
                "body_rate_after", .duration, into: \.bodyRateAfter, default: initial,
                "Time before `body_rate` is checked."),
            .key(
                "keep_alive", .positiveDuration, into: \.keepAlive, default: initial,
                "Longest idle time of a client connection."),
            .key(
                "write_stall", .positiveDuration, into: \.writeStall, default: initial,
                "Longest time that a client may leave its answer unread; then close."),
            .key(
                "drain", .duration, into: \.drain, default: initial,
                "After SIGTERM: longest wait for exchanges under way."),
        ]
    }

    static var log: Section<LogPlan> {
        Section(LogPlan()) { initial in
            [
                .key("level", level, into: \.level, default: initial, "Least severe entry of the operator log."),
                .key(
                    "access", access, into: \.access, default: initial,
                    "Where the access log goes: `stdout`, `stderr`, `off` or the path of a file."),
            ]
        }
    }

    private static let levels: [(word: String, value: LogPlan.Level)] = [
        ("debug", .debug), ("info", .info), ("warning", .warning), ("error", .error),
    ]

    private static var level: ValueReader<LogPlan.Level> {
        .choice(levels) { value in levels.first { $0.value == value }?.word }
    }

    private static var access: ValueReader<LogPlan.Access> {
        let type = ValueType.either(.choice(["stdout", "stderr", "off"]), .text("absolute path"))
        return ValueReader(type, render: { $0 == .stdout ? "stdout" : nil }) { cursor in
            guard let text = ValueReader.text("a path").read(cursor) else { return nil }
            switch text {
            case "stdout": return .stdout
            case "stderr": return .stderr
            case "off": return .off
            default:
                if text.hasPrefix("/") {
                    if let problem = FileReader.appendProblem(text) {
                        cursor.report("\(Quoted.text(text)) \(problem)", hint: "lines are appended to it")
                    }
                    return .file(text)
                }
                cursor.report("expected \(type.name), not \(Quoted.text(text))")
                return nil
            }
        }
    }
}
