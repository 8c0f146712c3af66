/// How a session is kept alive beside its login steps.
package struct RenewalPlan: Sendable {
    /// Steps that are tried first while a refresh is possible (`refresh:`).
    package var refresh: [LoginStep]
    /// Captures without which a refresh makes no sense: what the first request of `refresh` refers to.
    package var refreshNeeds: [Int]
    /// Somebody else logs in and hands the credential over (`token:`).
    package var source: TokenSource?
    /// Steps that end the session at the upstream (`logout:`), sent when the gateway stops or drops the session.
    package var logout: [LoginStep] = []
    /// What a person has to do before a login (`human:`); their answer, and those to steps, is the capture in `humanSlot`.
    package var human: String?
    package var humanSlot: Int?

    package init(
        refresh: [LoginStep] = [], refreshNeeds: [Int] = [], source: TokenSource? = nil, human: String? = nil,
        humanSlot: Int? = nil
    ) {
        self.refresh = refresh
        self.refreshNeeds = refreshNeeds
        self.source = source
        self.human = human
        self.humanSlot = humanSlot
    }
}

/// Where a credential comes from that somebody else gained.
package struct TokenSource: Sendable {
    package enum Place: Sendable {
        case file(path: String)
        /// Arguments (the first is the program, found by `PATH` or its path) and the longest run in nanoseconds.
        case command([String], time: UInt64)
    }
    package var place: Place
    /// Instead of the usual reading (`TokenText`): values of the text, over the answer scope.
    package var captures: [LoginStep.Capture]

    package init(place: Place, captures: [LoginStep.Capture] = []) {
        self.place = place
        self.captures = captures
    }
}
