/// A row of the user table.
struct ShopUser: Sendable {
    let id: Int64
    let name: [UInt8]
    /// `md5(pepper + password)`: what the client sends and the row holds.
    let passwordHash: [UInt8]
    /// The one token there is; every login overwrites it.
    var token: [UInt8]?
    /// Unix seconds of the last good call.
    var lastLogin: Int64 = 0
    var isLocked = false
}
