enum Version {
    static let number = "0.1.0"
}

enum VersionCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        try arguments.end()
        Output.write("countersign \(Version.number)\n")
        return 0
    }
}
