/// A piece of a `HeaderArena`; valid until its next `reset`.
@safe struct ArenaText {
    let pointer: UnsafeMutablePointer<CChar>

    init(_ pointer: UnsafeMutablePointer<CChar>) { unsafe self.pointer = pointer }
}
