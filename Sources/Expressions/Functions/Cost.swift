/// What a call costs, by the size of what it is given and of what it gives. In steps, of which an evaluation has so many
/// (`ExpressionLimits.steps`); a step is about 50 ns. Nothing but numbers, so that a node holds it without a retain.
struct Cost: Sendable, Equatable {
    /// How far into a value the work goes.
    enum Reach: Sendable {
        /// Over the elements of a list or the members of a map, not into them.
        case elements
        /// Over everything inside.
        case everything
        /// The same, as often as sorting compares.
        case sorting
    }

    /// Nanoseconds of a step, on the slowest machine that the gateway is meant for.
    static let nanoseconds = 50.0

    /// Steps of one call.
    let call: Int
    /// For each byte of a string or of bytes, and for each element, member or field; 1/1024 steps.
    private let byte: Int
    private let element: Int
    let reach: Reach

    /// In nanoseconds.
    init(call: Double, byte: Double, element: Double, _ reach: Reach = .everything) {
        self.call = Int((call / Cost.nanoseconds).rounded(.up))
        self.byte = Int((byte / Cost.nanoseconds * 1024).rounded(.up))
        self.element = Int((element / Cost.nanoseconds * 1024).rounded(.up))
        self.reach = reach
    }

    /// What a function costs of which nothing is said: dear.
    static let unknown = Cost(call: 500, byte: 30, element: 1500)
    /// The argument is not looked into.
    static let nothing = Cost(call: 50, byte: 0, element: 0, .elements)
    /// Two values are compared.
    static let comparison = Cost(call: 0, byte: 1, element: 250)
    static let sorting = Cost(call: 0, byte: 1, element: 50, .sorting)
    /// The value becomes text, or JSON.
    static let rendering = Cost(call: 0, byte: 4, element: 150)

    func steps(bytes: Int) -> Int { (bytes &* byte) >> 10 }

    func steps(elements: Int, bytes: Int = 0) -> Int {
        let steps = (elements &* element &+ bytes &* byte) >> 10
        return reach == .sorting ? steps &* (Int.bitWidth - elements.leadingZeroBitCount) : steps
    }
}
