import Testing

@testable import Expressions

@Test(arguments: FunctionTable.standard.documentation.filter { !$0.example.isEmpty }.map(\.example))
func exampleOfTheManualHolds(example: String) {
    #expect(TestHost.outcome(example) == "true")
}
