package import LoopKit

/// How the demo shop behaves. Everything may be changed before `DemoServer.init`; some things later by the control API.
package struct DemoOptions: Sendable {
    /// Where to listen. Default 127.0.0.1:0 (the kernel chooses the port).
    package var addresses: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 0)]
    /// The secret at the end of the signed text. Default: the one every client of that shop ships with.
    package var signKey = "tpshop2"
    /// Pepper before the password when the client hashes it. Default: that shop's own.
    package var passwordPepper = "TPSHOP"
    /// Accounts: name (mobile number or mail address) and plain password. A demo: nothing here is secret.
    package var users: [(name: String, password: String)] = [(name: "13800138006", password: "demo-password")]
    /// Seconds without a call after which a token is too old; every good call starts them anew. 0 = no limit.
    package var idleSeconds: Int64 = 3600
    /// How far behind the server's clock `time` may be. There is no limit ahead: that is how the real shop is.
    package var clockWindow: Int64 = 600
    /// Actions that need no signature, lower case. Default: the first generation's list.
    package var exemptActions = ["getservertime", "getconfig", "alipaynotify", "goodslist", "search"]
    /// PHP's `json_encode` writes `\uXXXX` for everything beyond ASCII and `\/` for a slash. Default on, as the real shop.
    package var escapesUnicode = true
    package init() {}
}
