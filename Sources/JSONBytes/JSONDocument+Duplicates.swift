import Bytes

extension JSONDocument {
    /// Some object names a member twice (RFC 8259 4: what a reader makes of it is not told). Names are compared after
    /// unescaping.
    package var hasDuplicateMember: Bool {
        var pending = [root]
        while let value = pending.popLast() {
            var names: Set<[UInt8]> = []
            for member in value.members {
                guard names.insert(Array(member.key.text ?? member.key.raw)).inserted else { return true }
                if member.value.count > 0 { pending.append(member.value) }
            }
            for element in value.elements where element.count > 0 { pending.append(element) }
        }
        return false
    }
}
