package import Domain

/// How a login ended.
package enum LoginResult {
    case succeeded(CredentialGrant)
    /// `wait`: not again before so many nanoseconds, when the upstream told. `isDoubtful`: it may mean wrong credentials.
    case failed(GatewayError, wait: UInt64? = nil, isDoubtful: Bool = false)
    /// Wrong credentials: no other try on its own.
    case refused(GatewayError)
}

/// Where a login takes place: a session of the gateway, or `countersign login`. Upstreams go by their index in the plan.
protocol LoginHost: AnyObject {
    /// Newest `DPoP-Nonce` of the server that gives tokens.
    var dpopLoginNonce: [UInt8]? { get set }
    /// The upstream's time.
    func time(at upstream: Int) -> (seconds: Int64, nanoseconds: Int32)
    /// Seconds that the upstream's clock is ahead of ours, as far as that is known.
    func ahead(of upstream: Int) -> Int64
    /// The way there, asked for before each request.
    func way(to upstream: Int) throws(GatewayError) -> (plan: UpstreamPlan, transport: any UpstreamTransport)
    /// The request goes out; the scope is the one that it was made in.
    func loginSends(_ request: UpstreamRequest, _ scope: ExchangeScope)
    func answered(_ head: UpstreamHead, by upstream: Int, sentAt: UInt64)
    /// What a transfer that failed is called.
    func error(for failure: TransferFailure, at upstream: Int) -> GatewayError
    /// The upstream refused a signature for its time. True: from now on its own is taken.
    func adopt(time: Int64, of upstream: Int) -> Bool
    func signatureEchoed(_ echo: SignatureAnswer.Echo, by upstream: Int, _ scope: ExchangeScope)
    /// A person has to do something elsewhere, then the login goes on by itself.
    func loginWaits(_ error: GatewayError)
    /// A person has to answer (`LoginDriver.answer`).
    func loginAsks(_ question: GatewayError)
    /// This answer was no success; `loginEnded` follows.
    func loginFailed(_ head: UpstreamHead, _ body: [UInt8])
    /// Called once, the last of all.
    func loginEnded(_ result: LoginResult)
}
