/// Keccak-256 as Ethereum has it: SHA-3 with the padding from before FIPS 202, which OpenSSL 3.0 does not know.
package enum Keccak {
    private static let rate = 136

    /// 32 bytes.
    package static func hash256(_ message: Span<UInt8>) -> [UInt8] {
        var state = [UInt64](repeating: 0, count: 25)
        var start = 0
        while message.count - start >= rate {
            absorb(message.extracting(start..<(start + rate)), into: &state)
            start += rate
        }
        var last = [UInt8](repeating: 0, count: rate)
        for index in start..<message.count { last[index - start] = message[index] }
        last[message.count - start] ^= 0x01
        last[rate - 1] ^= 0x80
        absorb(last.span, into: &state)
        return (0..<32).map { UInt8(truncatingIfNeeded: state[$0 / 8] >> UInt64(8 * ($0 % 8))) }
    }

    private static func absorb(_ block: Span<UInt8>, into state: inout [UInt64]) {
        for index in 0..<rate { state[index / 8] ^= UInt64(block[index]) << UInt64(8 * (index % 8)) }
        permute(&state)
    }

    /// Keccak-f[1600] (FIPS 202 3.3), lane (x, y) at `x + 5 * y`.
    private static func permute(_ state: inout [UInt64]) {
        var (columns, moved) = ([UInt64](repeating: 0, count: 5), [UInt64](repeating: 0, count: 25))
        var constants = RoundConstants()
        for _ in 0..<24 {
            for x in 0..<5 { columns[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] }
            for index in 0..<25 {
                let x = index % 5
                state[index] ^= columns[(x + 4) % 5] ^ rotated(columns[(x + 1) % 5], by: 1)
            }
            // rho and pi: each lane goes on to the next place, turned by one more triangular number.
            var (x, y) = (1, 0)
            moved[0] = state[0]
            for step in 0..<24 {
                let lane = state[x + 5 * y]
                (x, y) = (y, (2 * x + 3 * y) % 5)
                moved[x + 5 * y] = rotated(lane, by: (step + 1) * (step + 2) / 2 % 64)
            }
            for index in 0..<25 {
                let row = index / 5 * 5
                state[index] = moved[index] ^ (~moved[row + (index + 1) % 5] & moved[row + (index + 2) % 5])
            }
            state[0] ^= constants.next()
        }
    }

    private static func rotated(_ lane: UInt64, by count: Int) -> UInt64 {
        count == 0 ? lane : lane << UInt64(count) | lane >> UInt64(64 - count)
    }

    /// The linear feedback register of FIPS 202 3.2.5.
    private struct RoundConstants {
        private var register: UInt8 = 1

        mutating func next() -> UInt64 {
            var constant: UInt64 = 0
            for bit in 0..<7 {
                if register & 1 == 1 { constant |= 1 << UInt64(1 << bit - 1) }
                register = register << 1 ^ (register & 0x80 != 0 ? 0x71 : 0)
            }
            return constant
        }
    }
}
