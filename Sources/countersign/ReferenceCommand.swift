import Configuration
import Domain
import Expressions
import Gateway

/// `reference PAGE`: the manual's reference pages, from the tables that the program itself works with.
enum ReferenceCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        let page = try arguments.positional("the page")
        try arguments.end()
        switch page {
        case "keys": Output.write(KeyReference.markdown)
        case "limits": Output.write(LimitCatalogue.markdown)
        case "errors": Output.write("# Errors\n\n\(errors)\n\(ErrorCatalogue.markdown)")
        case "functions": Output.write("# Functions\n\n" + names + FunctionTable.standard.markdown)
        case "metrics": Output.write(MetricCatalogue.markdown)
        case "profiles": Output.write(ProfileReference.markdown)
        case "schema": Output.write(ConfigSchema.text)
        default: throw UsageError("there is no page \(page)")
        }
        return 0
    }

    /// Both under headings of their own.
    private static let names = "#" + ScopeReference.markdown + "\n#"

    private static let errors = """
        What the gateway answers itself. `kind` is the machine-readable word in the answer, `Proxy-Status` the error type of
        RFC 9209; the texts can be replaced in the config (`texts`).

        """
}
