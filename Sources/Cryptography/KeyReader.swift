import Bytes
import CCryptoShims
import COpenSSL

/// Reads keys in whatever form they arrive: PEM, DER, or the bare base 64 of DER that payment consoles hand out.
enum KeyReader {
    /// A private key: PKCS#8, PKCS#1 or SEC 1, also encrypted with a passphrase.
    static func privateKey(_ bytes: Span<UInt8>, passphrase: Secret?) throws(CryptographyError) -> KeyHandle {
        try decode(bytes, selection: gw_select_key_pair(), passphrase: passphrase)
    }

    /// A public key: SubjectPublicKeyInfo, PKCS#1, or the key of an X.509 certificate.
    static func publicKey(_ bytes: Span<UInt8>) throws(CryptographyError) -> KeyHandle {
        if contains(bytes, "-----BEGIN CERTIFICATE-----") { return try certificateKey(bytes) }
        return try decode(bytes, selection: gw_select_public_key(), passphrase: nil)
    }

    private static func decode(
        _ bytes: Span<UInt8>, selection: Int32, passphrase: Secret?
    ) throws(CryptographyError) -> KeyHandle {
        guard !bytes.isEmpty else { throw CryptographyError(.unreadableKey, "empty") }
        if let bare = bareBase64(bytes) {
            return try decodeOnce(bare.span, selection: selection, passphrase: passphrase)
        }
        return try decodeOnce(bytes, selection: selection, passphrase: passphrase)
    }

    private static func decodeOnce(
        _ bytes: Span<UInt8>, selection: Int32, passphrase: Secret?
    ) throws(CryptographyError) -> KeyHandle {
        ERR_clear_error()
        var key: OpaquePointer?
        guard let context = unsafe OSSL_DECODER_CTX_new_for_pkey(&key, nil, nil, nil, selection, nil, nil) else {
            throw CryptographyError.last(.unreadableKey)
        }
        defer { unsafe OSSL_DECODER_CTX_free(context) }
        // Without a callback OpenSSL asks on the terminal, which would hang a daemon.
        unsafe OSSL_DECODER_CTX_set_pem_password_cb(context, onPassphraseAsked, nil)
        passphrase?.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer {
                _ = unsafe OSSL_DECODER_CTX_set_passphrase(context, $0.baseAddress, $0.count)
            }
        }
        let done = unsafe bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            var rest = buffer.count
            return unsafe OSSL_DECODER_from_data(context, &start, &rest)
        }
        guard done == 1, let key = unsafe key else {
            let isEncrypted = contains(bytes, "ENCRYPTED")
            throw CryptographyError.last(isEncrypted ? .encryptedKey : .unreadableKey)
        }
        return unsafe try KeyHandle(owning: key)
    }

    private static func certificateKey(_ bytes: Span<UInt8>) throws(CryptographyError) -> KeyHandle {
        ERR_clear_error()
        let key: OpaquePointer? = unsafe bytes.withUnsafeBytes { buffer in
            guard let source = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
                return nil
            }
            defer { unsafe BIO_free(source) }
            guard let certificate = unsafe PEM_read_bio_X509(source, nil, onPassphraseAsked, nil) else { return nil }
            defer { unsafe X509_free(certificate) }
            return unsafe X509_get_pubkey(certificate)
        }
        guard let key = unsafe key else { throw CryptographyError.last(.unreadableKey) }
        return unsafe try KeyHandle(owning: key)
    }

    /// The decoded bytes when the text is nothing but base 64, blanks and line ends. DER never looks like that (it begins
    /// with 0x30 and a length byte that is no base 64 digit for a key of any size), PEM has dashes.
    private static func bareBase64(_ bytes: Span<UInt8>) -> [UInt8]? {
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count)
        for index in bytes.indices where !(bytes[index] == 0x20 || bytes[index] &- 0x09 < 5) {
            packed.append(bytes[index])
        }
        return Base64.decode(packed.span, padding: .optional)
    }

    private static func contains(_ bytes: Span<UInt8>, _ word: StaticString) -> Bool {
        let word = word.bytes
        guard bytes.count >= word.count else { return false }
        for start in 0...(bytes.count - word.count)
        where ASCII.equal(bytes.extracting(start..<start + word.count), word.span) { return true }
        return false
    }
}

/// Answers "no passphrase".
private func onPassphraseAsked(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
