import Domain

/// What an exchange hears when it asks for a credential.
enum SessionVerdict {
    case ready(CredentialSnapshot)
    /// The route does not insist on a session and there is none.
    case guest
    /// `sessionReady` or `sessionFailed` follows.
    case parked
    case failed(GatewayError)
}

/// Waits for a credential.
protocol SessionClient: AnyObject {
    func sessionReady(_ credential: CredentialSnapshot)
    func sessionFailed(_ error: GatewayError)
    /// What the session says to one that has waited for its turn.
    func sessionAnswered(_ verdict: SessionVerdict)
}
