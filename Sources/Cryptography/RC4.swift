/// RC4: broken as a cipher, still part of some devices' protocols. OpenSSL keeps it in a provider that is not loaded.
package enum RC4 {
    /// Encrypts and decrypts alike. The key has 1 to 256 bytes; `nil` for any other.
    package static func apply(key: Span<UInt8>, _ text: Span<UInt8>) -> [UInt8]? {
        guard !key.isEmpty, key.count <= 256 else { return nil }
        var state = (0...255).map { UInt8($0) }
        var second: UInt8 = 0
        for first in 0..<256 {
            second = second &+ state[first] &+ key[first % key.count]
            state.swapAt(first, Int(second))
        }
        var (i, j): (UInt8, UInt8) = (0, 0)
        return [UInt8](capacity: text.count) { output in
            for index in text.indices {
                i = i &+ 1
                j = j &+ state[Int(i)]
                state.swapAt(Int(i), Int(j))
                output.append(text[index] ^ state[Int(state[Int(i)] &+ state[Int(j)])])
            }
        }
    }
}
