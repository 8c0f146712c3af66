extension FunctionTable {
    static let times: [Function] = []
    static let maths: [Function] = []
    static let php: [Function] = []
    static let nonces: [Function] = []
}
