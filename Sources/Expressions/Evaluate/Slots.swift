/// Where macros keep their variables, by how deep the macro stands. The first is in place: most recipes have macros inside
/// none, and an array is an allocation.
struct Slots {
    private var first = Value.null
    private var others: [Value]

    init(count: Int) { others = count > 1 ? Array(repeating: .null, count: count - 1) : [] }

    subscript(index: Int) -> Value {
        get { index == 0 ? first : others[index - 1] }
        set { if index == 0 { first = newValue } else { others[index - 1] = newValue } }
    }
}
