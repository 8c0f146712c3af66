import Bytes
import Cryptography
import LoopKit

/// `device` in expressions: the same on every start of this machine, and no way back to the machine's own id (systemd
/// asks applications not to show it).
enum Device {
    static func identifier() -> [UInt8] {
        guard let machine = HostProcess.machineID, !machine.isEmpty else { return SecureRandom.uuid4() }
        let purpose = Array("countersign".utf8)
        let code = HMAC.authenticate(.sha256, key: machine.span, message: purpose.span)
        let digest = Hex.encode(code.span)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digest[$0] }
        return Array(parts.joined(separator: [0x2D]))
    }
}
