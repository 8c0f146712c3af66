/// A value with the place it was read from.
struct Placed<Value> {
    var value: Value
    var cursor: Cursor
}
