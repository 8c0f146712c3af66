enum ExplainCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 { throw UsageError("explain is not here yet") }
}
enum ReferenceCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 { throw UsageError("not here yet") }
}
