import JSONBytes
import LoopKit

/// `status`: how a running gateway is, for people and scripts.
enum StatusCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        let text = try arguments.option("admin") ?? "127.0.0.1:9180"
        try arguments.end()
        guard let address = ListenAddress(parsing: text) else { throw UsageError("\(text) is no address") }
        let body: [UInt8]
        do throws(AdminClient.Failure) {
            body = try AdminClient.get("/health", from: address)
        } catch {
            switch error {
            case .unreachable(let why): Output.error("countersign status: \(text): \(why)\n")
            case .notOurs, .tooOften:
                Output.error("countersign status: \(text): this is no admin listener of countersign\n")
            }
            return 3
        }
        guard let root = try? JSONDocument(parsing: body).root, let status = HealthTable.text(root, "status") else {
            Output.error("countersign status: \(text): the answer is no health report\n")
            return 3
        }
        Output.write(HealthTable.render(root))
        return status == "ok" ? 0 : 1
    }
}
