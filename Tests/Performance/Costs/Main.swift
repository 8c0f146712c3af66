import Glibc

/// `CostBench [NAME]`: compares the time of every function, or of those with such a name, with what is charged for it.
@main
enum Main {
    static func main() { exit(Costs.run(matching: CommandLine.arguments.dropFirst().first ?? "") ? 0 : 1) }
}
