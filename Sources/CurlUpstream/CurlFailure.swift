import CCurl
import CCurlShims
import Domain
import HTTPWire
import LoopKit

/// libcurl's result codes as our failure kinds.
enum CurlFailure {
    /// The failure of an attempt; reads the handle before it is removed.
    static func of(_ code: CURLcode, handle: CurlHandle, transfer: CurlTransfer, plan: UpstreamPlan) -> TransferFailure
    {
        if transfer.fault == nil, handle.isUnprocessed, !transfer.hasAnswerBytes {
            var failure = TransferFailure(
                kind: .reset, requestSent: handle.hasSent, connectionReused: handle.isReused,
                detail: "the upstream closes the connection and did not process the request (GOAWAY)")
            failure.isUnprocessed = true
            return failure
        }
        let (kind, detail) = transfer.fault ?? classify(code, handle, plan)
        return TransferFailure(
            kind: kind, requestSent: handle.hasSent, connectionReused: handle.isReused,
            connectionRested: handle.rested, detail: detail)
    }

    private static func classify(
        _ code: CURLcode, _ handle: CurlHandle, _ plan: UpstreamPlan
    ) -> (TransferFailure.Kind, String) {
        let isBeforeRequest = handle.sendings == 0
        // Before the request goes out libcurl's words are about names, addresses and certificates; later they may quote.
        let words = isBeforeRequest ? handle.errorDescription : ""
        let text = words.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : words
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return (.dns, text)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return (.proxy, text)
        case CURLE_COULDNT_CONNECT: return connectFailure(handle, plan)
        case CURLE_OPERATION_TIMEDOUT:
            return isBeforeRequest ? (.connectTimeout, text) : (.idleTimeout, text)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
            return (.tls, text + remedy(for: text, plan))
        // What libcurl calls them means something else to those who read it: in the words of `UpstreamHeadBuilder`.
        case CURLE_OUT_OF_MEMORY where !isBeforeRequest:
            // A line above 100 KiB, or a head above 300 KiB.
            return (.malformedAnswer, WireFault.headTooLarge.rawValue)
        case CURLE_UNSUPPORTED_PROTOCOL where !isBeforeRequest:
            return (.malformedAnswer, WireFault.badVersion.rawValue)
        case CURLE_WEIRD_SERVER_REPLY: return (.malformedAnswer, WireFault.badStatusLine.rawValue)
        case CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return (.malformedAnswer, text)
        case CURLE_RECV_ERROR where isBeforeRequest && plan.proxy != nil: return (.proxy, text)
        case CURLE_RECV_ERROR where handle.errorDescription.contains("chunked-encoding"):
            return (.malformedAnswer, "bad chunked coding")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_SEND_FAIL_REWIND,
            CURLE_ABORTED_BY_CALLBACK:
            return (.reset, handle.stop == .silentResend ? "the pooled connection ended without an answer" : text)
        default: return (.local, text)
        }
    }

    /// libcurl's words for what devices are known by: a certificate that nobody else signed, or one in another name.
    private static func remedy(for text: String, _ plan: UpstreamPlan) -> String {
        guard plan.tls.verify else { return "" }
        if text.contains("self-signed") || text.contains("self signed") {
            return " (trust it with tls.ca_file, or use tls.pins with tls.verify: false)"
        }
        if text.contains("issuer certificate") { return " (trust its authority with tls.ca_file)" }
        if text.contains("subject name") {
            return
                " (write the certificate's name in url and the host in address, or use tls.pins with tls.verify: false)"
        }
        return ""
    }

    private static func connectFailure(_ handle: CurlHandle, _ plan: UpstreamPlan) -> (TransferFailure.Kind, String) {
        let code = handle.systemError
        let text = code == 0 ? handle.errorDescription : ErrorText.of(code)
        // libcurl keeps no errno of a socket that could not be made.
        if handle.lacksDescriptors { return (.overloaded, "out of descriptors") }
        if plan.proxy != nil { return (.proxy, text) }
        return (TransferFailure.Kind(connecting: code), text)
    }
}
