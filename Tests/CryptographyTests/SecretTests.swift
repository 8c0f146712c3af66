import Bytes
import Foundation
import Testing

@testable import Cryptography

@Suite struct SecretTests {
    static let canary = "c4n4ry-9f3a-do-not-show"

    struct Holder {
        let name = "holder"
        let secret: Secret
    }

    /// Every way the standard library and Foundation turn a value into text.
    @Test func noRenderingShowsTheBytes() {
        let secret = Secret(copying: bytes(Self.canary).span)
        let holder = Holder(secret: secret)
        var dumped = ""
        dump(secret, to: &dumped)
        dump(holder, to: &dumped)
        dump(["key": secret], to: &dumped)
        var texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\(holder)",
            String(reflecting: holder), "\([secret])", "\(Optional(secret) as Any)", dumped,
            String(format: "%@", "\(secret)"), "\(Mirror(reflecting: secret).children.map { "\($0)" })",
            "\(Mirror(reflecting: secret))", String(describing: Mirror(reflecting: holder).children.map(\.value)),
        ]
        texts.append("\(NSError(domain: "x", code: 1, userInfo: ["secret": secret]))")
        let forms = [
            Self.canary, hex(bytes(Self.canary)), Data(Self.canary.utf8).base64EncodedString(),
            // As an array of numbers.
            bytes(Self.canary).prefix(4).map(String.init).joined(separator: ", "),
        ]
        for text in texts {
            for form in forms { #expect(!text.contains(form)) }
        }
        #expect("\(secret)" == "***")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test(arguments: [0, 1, 15, 4095, 4096, 4097, 70_000])
    func holdsItsBytes(count: Int) {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let secret = Secret(copying: content.span)
        #expect(secret.count == count)
        #expect(secret.unsealed == content)
        #expect(secret.withBytes { $0.count } == count)
        #expect(secret.matches(content.span) == true)
        #expect(secret.matches(Secret(copying: content.span)))
        #expect(secret.matches((content + [0]).span) == false)
        if count > 0 {
            var changed = content
            changed[count - 1] ^= 0x80
            #expect(secret.matches(changed.span) == false)
        }
    }

    /// The kernel's flags ("VmFlags") of the mapping that holds an address; empty when there is none.
    private func flags(of address: UInt) throws -> String {
        // Not `String(contentsOfFile:)`: it trusts the size, and files in /proc have none.
        let handle = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let map = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        var isInside = false
        for line in map.split(separator: "\n") {
            let range = line.prefix { $0 != " " }.split(separator: "-")
            if range.count == 2, let low = UInt(range[0], radix: 16), let high = UInt(range[1], radix: 16) {
                isInside = (low..<high).contains(address)
            } else if isInside, line.hasPrefix("VmFlags:") {
                return String(line)
            }
        }
        return ""
    }

    private func address(of secret: Secret) -> UInt {
        secret.withBytes { span in unsafe span.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
    }

    /// The pages are outside the heap, excluded from core files ("dd") and read-only (no "wr").
    @Test func pagesAreKeptOutOfCoreFiles() throws {
        let secret = Secret(copying: bytes(Self.canary).span)
        let flags = try flags(of: address(of: secret))
        #expect(flags.contains(" dd"))
        #expect(!flags.contains(" wr"))
        #expect(secret.count == Self.canary.utf8.count)
    }

    /// Pages of the whole process, of 4 KiB.
    private func mappedPages() throws -> Int {
        let handle = try #require(FileHandle(forReadingAtPath: "/proc/self/statm"))
        let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        return try #require(Int(text.prefix { $0.isNumber }))
    }

    /// Looking at the address itself would be a race: another test's secret may get the same place.
    @Test func pagesGoBackToTheKernel() throws {
        let content = [UInt8](repeating: 1, count: 8 << 20)
        let before = try mappedPages()
        for _ in 0..<60 {
            var secret: Secret? = Secret(copying: content.span)
            weak let watcher = secret
            secret = nil
            #expect(watcher == nil)
        }
        // 60 times 8 MiB would be 122 880 pages more.
        #expect(try mappedPages() - before < 60_000)
    }
}
