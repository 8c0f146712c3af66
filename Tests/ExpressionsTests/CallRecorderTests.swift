import Testing

@testable import Expressions

@Suite struct CallRecorderTests {
    private func value(_ source: String, _ recorder: CallRecorder) throws -> String {
        let scope = Scope(names: TestHost.scope.names, functions: FunctionTable.standard.recording(to: recorder))
        var text: [UInt8] = []
        try Expression(parsing: source, in: scope).evaluate(TestHost()).appendText(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    @Test func messagesComeInTheOrderOfTheCallsAndKeysDoNot() throws {
        let recorder = CallRecorder()
        let source = "hex.encode(hmac.sha256(secret.sign_key, hex.encode(hash.md5('a' + session.token))))"
        let result = try value(source, recorder)
        let calls = recorder.take()
        #expect(calls.map(\.function) == ["hash.md5", "hmac.sha256"])
        #expect(calls[0].message == Array("at0ken".utf8))
        #expect(calls[0].key.isEmpty && calls[1].key == Array("tpshop2".utf8))
        #expect(recorder.take().isEmpty)
        #expect(TestHost.outcome(source) == "\"\(result)\"")
    }

    @Test func constantsAreRecordedEachTime() throws {
        let recorder = CallRecorder()
        let scope = Scope(names: TestHost.scope.names, functions: FunctionTable.standard.recording(to: recorder))
        let expression = try Expression(parsing: "hash.sha1('abc')", in: scope)
        _ = recorder.take()
        for _ in 0..<2 { _ = try expression.evaluate(TestHost()) }
        #expect(recorder.take().map(\.message) == [Array("abc".utf8), Array("abc".utf8)])
    }

    @Test func everyCallInAComprehensionIsSeen() throws {
        let recorder = CallRecorder()
        _ = try value("['x', 'y'].map(s, hex.encode(hash.sha512(s))).join()", recorder)
        #expect(recorder.take().map(\.message) == [Array("x".utf8), Array("y".utf8)])
    }

    @Test func verifyingRecordsTheMessage() {
        let recorder = CallRecorder()
        #expect(throws: EvaluationError.self) {
            try value("string(ed25519.verify(text, 'message', b'x'))", recorder)
        }
        #expect(recorder.take().isEmpty)
    }

    @Test func theTableOffersTheSameFunctions() {
        let recorded = FunctionTable.standard.recording(to: CallRecorder())
        #expect(recorded.documentation.map(\.signatures) == FunctionTable.standard.documentation.map(\.signatures))
    }

    @Test func thePageHasOneRowForEachEntry() {
        let rows = FunctionTable.standard.markdown.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count == FunctionTable.standard.documentation.count)
    }
}
