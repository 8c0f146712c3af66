import DemoUpstream
import LoopKit

/// `demo`: a small shop to try everything against.
enum DemoCommand {
    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        var arguments = arguments
        var options = DemoOptions()
        let allowsRemote = arguments.flag("allow-remote")
        if let text = try arguments.option("listen") {
            guard let address = ListenAddress(parsing: text) else { throw UsageError("\(text) is no address") }
            guard allowsRemote || address.isLoopback else {
                throw UsageError("other hosts could reach \(text); --allow-remote if they may")
            }
            options.addresses = [address]
        }
        if let key = try arguments.option("sign-key") { options.signKey = key }
        let user = try arguments.option("user")
        let password = try arguments.option("password")
        if let user { options.users[0].name = user }
        if let password { options.users[0].password = password }
        try arguments.end()
        do {
            let loop = try EventLoop()
            let server = try DemoServer(loop: loop, options: options)
            try loop.onSignal(SignalNumber.terminate) { loop.stop() }
            try loop.onSignal(SignalNumber.interrupt) { loop.stop() }
            Output.error("demo shop listening on port \(server.boundPort)\n")
            loop.run()
            server.close()
            return 0
        } catch {
            Output.error("countersign demo: \(error)\n")
            return 1
        }
    }
}
