extension ValueReader {
    /// A mapping, or the word `off` (also `false`), which stands for `off`.
    func orOff(_ off: Value) -> ValueReader<Value> {
        ValueReader(.either(type, .choice(["off"])), render: render) { cursor in
            if let text = cursor.text, text == "off" || text == "false" { return off }
            return read(cursor)
        }
    }
}
