import CCurl
import CCurlShims
import Cryptography
import Domain

extension UpstreamPlan {
    /// A proxy that gets whole URLs instead of a tunnel.
    var usesPlainProxy: Bool { scheme == .http && proxy?.hasPrefix("http://") == true }
}

extension CurlHandle {
    /// Seconds for which the name service is believed (its own lifetimes do not come through the system's resolver).
    static let namesLast = 60

    /// Everything that is the same for all requests on the way to the upstream. libcurl must neither think (redirects, cookies,
    /// credentials, environment) nor touch bytes (codings).
    func configure(_ plan: UpstreamPlan, share: CurlShare) {
        let scheme = plan.scheme == .https ? "https" : "http"
        setURL("\(scheme)://\(plan.host):\(plan.port)/")
        set(CURLOPT_PROTOCOLS_STR, scheme)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_HTTP09_ALLOWED, 0)
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        set(CURLOPT_NETRC, 0)
        set(CURLOPT_UNRESTRICTED_AUTH, 0)
        set(CURLOPT_DNS_CACHE_TIMEOUT, Self.namesLast)
        // libcurl would wait for its resolver's thread, and everything else with it, as long as a name server is silent:
        // seconds for each request. With this the thread ends by itself when it is done.
        set(CURLOPT_QUICK_EXIT, 1)
        // Facts 1.8: a connection may not live for ever, or a changed address is never noticed.
        set(CURLOPT_MAXLIFETIME_CONN, 300)
        set(CURLOPT_HTTP_VERSION, version(plan))
        if plan.version == .http2 {
            // Only the trace tells of a GOAWAY and of the numbers of streams.
            tracesStreams = true
            set(CURLOPT_VERBOSE, 1)
            if plan.scheme == .https { set(CURLOPT_PIPEWAIT, 1) }
        }
        if plan.version == .http2, plan.scheme == .http {
            // libcurl 7.88 fails with "Error in the HTTP2 framing layer" on every second request of a connection that
            // began with prior knowledge (its own command does too).
            forbidReuse()
            set(CURLOPT_FRESH_CONNECT, 1)
            (isFresh, isSingleUse) = (true, true)
        }
        if let address = plan.address { connect(to: address) }
        if let path = plan.unixSocket { set(CURLOPT_UNIX_SOCKET_PATH, path) }
        _ = unsafe gw_set_share(easy, share.pointer)
        configureProxy(plan)
        if plan.scheme == .https { configureTLS(plan.tls) }
    }

    /// With each request, since a reload may change them. libcurl never ends by itself without these two; first byte and idle
    /// are ours.
    func setTimes(_ plan: UpstreamPlan) {
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(clamping: max(1, plan.timeouts.connect / 1_000_000)))
        set(CURLOPT_MAXAGE_CONN, Int(clamping: max(1, plan.idleAge / 1_000_000_000)))
    }

    private func version(_ plan: UpstreamPlan) -> Int {
        switch (plan.version, plan.scheme) {
        case (.http1, _): Int(CURL_HTTP_VERSION_1_1)
        case (.http2, .https): Int(CURL_HTTP_VERSION_2TLS)
        case (.http2, .http): Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        }
    }

    /// An empty proxy switches the environment variables off.
    private func configureProxy(_ plan: UpstreamPlan) {
        set(CURLOPT_PROXY, plan.proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        guard plan.proxy != nil, let credentials = plan.proxyCredentials else { return }
        // libcurl keeps its own copy; there is no interface without one.
        let text = credentials.withBytes { span in
            String(decoding: (0..<span.count).map { span[$0] }, as: UTF8.self)
        }
        set(CURLOPT_PROXYUSERPWD, text)
    }

    private func configureTLS(_ tls: UpstreamPlan.TLS) {
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        unsafe reactor.tlsEnds.watch(easy)
        isTLS = true
        set(CURLOPT_SSL_VERIFYPEER, tls.verify ? 1 : 0)
        set(CURLOPT_SSL_VERIFYHOST, tls.verify ? 2 : 0)
        if let file = tls.authorityFile {
            set(CURLOPT_CAINFO, file)
            // Else the system's directory would still be trusted beside it.
            set(CURLOPT_CAPATH, nil)
        }
        if !tls.pins.isEmpty { set(CURLOPT_PINNEDPUBLICKEY, tls.pins.joined(separator: ";")) }
        set(CURLOPT_SSLCERT, tls.clientCertificate)
        set(CURLOPT_SSLKEY, tls.clientKey ?? tls.clientCertificate)
    }
}
