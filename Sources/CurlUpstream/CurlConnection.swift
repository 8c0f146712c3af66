import CCurlShims
import LoopKit

/// One descriptor of libcurl: a connection to the upstream (ours by the open-socket callback) or a helper of libcurl's
/// resolver (`isForeign`).
///
/// The watch is lazy: libcurl takes its interest away at the end of every exchange and brings it back at the next one, which
/// would cost two `epoll_ctl` per request. The read event stays instead; when it fires while nobody uses the connection,
/// then the upstream closed it or sent what nobody asked for, and either way it must not be used again.
final class CurlConnection {
    let descriptor: Int32
    let isForeign: Bool
    /// Known once a request is about to be sent on it; 0 for unix sockets.
    var localPort: Int32 = 0
    /// Who exchanges on it; `nil` = idle. A cycle until the end of the attempt, which every handle reaches; not `weak`: see
    /// `ByteSocket.delegate`.
    var user: CurlHandle?
    /// The last stream that the upstream has worked on, or will: what its GOAWAY says.
    var lastStream = UInt64.max
    /// Loop time of the end of the last exchange; on a shared connection (HTTP/2), of the last bytes from the upstream.
    var lastUsed: UInt64 = 0
    /// Found unfit while idle; libcurl will see a dead socket.
    var isDead = false
    var wantsReads = false
    var watch: DescriptorWatch?

    init(descriptor: Int32, isForeign: Bool) {
        self.descriptor = descriptor
        self.isForeign = isForeign
    }

    /// True when a byte, an end or an error waits on it.
    var hasPendingInput: Bool { gw_curl_peek(descriptor) != -Int(gw_errno_again) }

    /// Makes libcurl's liveness check fail. Not closed here: libcurl owns the number.
    /// - Parameter isShared: others may have exchanges on it: libcurl has to see the end at once.
    func kill(isShared: Bool = false) {
        guard !isDead else { return }
        isDead = true
        if !isShared { watch?.update(read: false, write: false) }
        gw_curl_shutdown(descriptor)
    }
}
