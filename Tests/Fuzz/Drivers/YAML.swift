import Configuration

/// Whatever the bytes: no trap, issues or a plan, and issues that can be shown.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let loader = ConfigLoader(environment: ["A": "canary-value-of-a-secret"])
    switch loader.load(bytes: input, file: "fuzz.yaml") {
    case .plan(_, let warnings):
        require(warnings.allSatisfy { $0.severity != .error })
        check(warnings, input)
    case .issues(let issues):
        require(issues.contains { $0.severity == .error })
        check(issues, input)
    }
    return 0
}

private func check(_ issues: [ConfigIssue], _ input: [UInt8]) {
    // libyaml also counts CR, NEL, LS and PS as line breaks: no more lines than bytes.
    for issue in issues {
        require(issue.line >= 1 && issue.line <= input.count + 2)
        require(issue.column >= 1 && issue.column <= input.count + 2)
        require(!issue.text.utf8.contains { $0 < 0x20 || $0 == 0x7F })
        require(!issue.json.utf8.contains { $0 < 0x20 })
        require(!issue.text.contains("canary-value"))
    }
    for (first, second) in zip(issues, issues.dropFirst()) { require(!ConfigIssue.precedes(second, first)) }
}

private func require(_ condition: Bool, line: Int = #line) {
    if !condition { fatalError("promise broken at line \(line)") }
}

/// The function table and other statics (`_WZ`) live for ever. LeakSanitizer cannot see all of it: Swift keeps enum tags in
/// the spare bits of pointers.
@c(__lsan_default_suppressions)
public func suppressions() -> UnsafePointer<CChar> {
    let text: StaticString = "leak:FunctionTable\nleak:_WZ\n"
    return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
