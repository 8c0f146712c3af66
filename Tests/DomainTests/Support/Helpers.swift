import Bytes
import Expressions
import Testing

@testable import Domain

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Whole seconds in nanoseconds.
func s(_ seconds: UInt64) -> UInt64 { seconds * 1_000_000_000 }

func fields(_ pairs: [(String, String)]) -> PairBlock {
    var block = PairBlock()
    for (name, value) in pairs { block.append(name: bytes(name).span, value: bytes(value).span) }
    return block
}

/// Deterministic, so that a failure can be repeated from its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

func failure(
    _ kind: TransferFailure.Kind, sent: Bool = true, reused: Bool = false, detail: String = "why"
) -> TransferFailure {
    TransferFailure(kind: kind, requestSent: sent, connectionReused: reused, detail: detail)
}

/// A credential that is told apart by its name.
func grant(_ token: String, lifetime: UInt64? = nil, wallExpiry: Int64? = nil) -> CredentialGrant {
    CredentialGrant(
        captures: [.string(bytes(token))], fingerprint: bytes(token), lifetime: lifetime, wallExpiry: wallExpiry)
}

/// `#require` for the result of a mutating call, which the macro cannot take.
func unwrap<Value>(_ value: Value?, _ location: SourceLocation = #_sourceLocation) throws -> Value {
    try #require(value, sourceLocation: location)
}
