import Domain
import Expressions

/// What an answer says about the credential that the request went out with.
enum CredentialVerdict: Equatable {
    case expired
    case taken(TakenPlan.Policy)
}

extension SessionPlan {
    /// What the answer in the scope says about its credential; `nil`: nothing. A predicate that errs (a field is missing, the
    /// body is no JSON) is false.
    func verdict(on status: Int, _ scope: ExchangeScope) throws(Undecided) -> CredentialVerdict? {
        if let taken, try taken.when.settled(scope)?.bool == true { return .taken(taken.policy) }
        guard let expired else { return status == 401 ? .expired : nil }
        return try expired.settled(scope)?.bool == true ? .expired : nil
    }
}
