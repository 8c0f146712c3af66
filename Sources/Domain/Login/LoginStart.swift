/// What a login starts from.
package struct LoginStart {
    /// Of the last credential, whatever became of it: its refresh token may still serve.
    package var captures: [CapturedValue]
    package var jar: CookieJar?
    /// What a person answered to `human:`.
    package var answer: [UInt8]?
    /// Somebody is there who can answer what a step asks.
    package var isAttended: Bool
    /// The full login, where there is one that can begin, and no refresh.
    package var skipsRefresh: Bool

    package init(
        captures: [CapturedValue] = [], jar: CookieJar? = nil, answer: [UInt8]? = nil, isAttended: Bool = false,
        skipsRefresh: Bool = false
    ) {
        self.skipsRefresh = skipsRefresh
        self.isAttended = isAttended
        self.captures = captures
        self.jar = jar
        self.answer = answer
    }
}
