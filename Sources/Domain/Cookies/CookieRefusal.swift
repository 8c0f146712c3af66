import Bytes

/// A cookie that a jar does not keep.
package struct CookieRefusal: Error, Equatable {
    package let name: [UInt8]
    /// `its Domain app.corp is not 127.0.0.1`: for people; holds no value.
    package let why: String
    /// It would have ended one, so that nobody misses it.
    let isDeletion: Bool

    init(_ name: [UInt8], _ why: String, isDeletion: Bool = false) {
        (self.name, self.why, self.isDeletion) = (name, why, isDeletion)
    }

    /// What a server wrote, as far as it can be shown.
    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(128).map { $0 > 0x20 && $0 < 0x7F ? $0 : 0x3F }, as: UTF8.self)
    }

    /// For people.
    package var text: String { "cookie \(Self.text(name)) not kept: \(why)" }
}
