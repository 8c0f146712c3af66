/// Counts the fields of `a=1&b=2` before anybody takes them apart.
enum FormFields {
    /// Whether there are at most so many pieces between ampersands, empty ones too.
    static func fit(_ text: ArraySlice<UInt8>, _ limit: Int) -> Bool {
        // The usual case by its length alone.
        guard text.count >= limit else { return true }
        var pieces = 1
        for byte in text where byte == 0x26 {
            pieces += 1
            if pieces > limit { return false }
        }
        return true
    }
}
