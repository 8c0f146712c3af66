package import Expressions

/// How a session is kept alive beside its login steps.
package struct RenewalPlan: Sendable {
    /// Steps that are tried first while a refresh is possible (`refresh:`).
    package var refresh: [LoginStep]
    /// Captures without which a refresh makes no sense: what the first request of `refresh` refers to.
    package var refreshNeeds: [Int]
    /// Also tried once no credential serves any more (`refresh_expired`).
    package var refreshesExpired = true
    /// What the session has before anything was captured (`seed:`), so that it begins with a refresh.
    package var seed: [Seed] = []
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

extension RenewalPlan {
    /// A capture whose first value is a secret: a refresh token that somebody gained elsewhere.
    package struct Seed: Sendable {
        /// Index into `SessionPlan.captureNames`.
        package var slot: Int
        package var value: Template
        package init(slot: Int, value: Template) {
            self.slot = slot
            self.value = value
        }
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
