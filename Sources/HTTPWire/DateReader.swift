import Bytes

/// Walks over the parts of a date. Holds offsets only; a copy of at most 40 bytes keeps it a plain value.
struct DateReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ span: Span<UInt8>) {
        var copy: [UInt8] = []
        // The longest form, RFC 850 on a Wednesday, has 33 bytes.
        if span.count <= 40 { copy.append(copying: span) }
        bytes = copy
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Letters of a day's name, short or long; `nil` when it is none.
    mutating func word() -> ArraySlice<UInt8>? {
        let start = position
        while position < bytes.count, ASCII.isAlpha(bytes[position]) { position += 1 }
        let word = bytes[start..<position]
        let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        return names.contains { $0.utf8.elementsEqual(word) || $0.utf8.prefix(3).elementsEqual(word) } ? word : nil
    }

    mutating func accept(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    mutating func digits(_ count: Int) -> Int64? {
        guard bytes.count - position >= count,
            let number = ASCII.decimal(bytes[position..<position + count].span)
        else { return nil }
        position += count
        return Int64(number)
    }

    /// 1 to 12.
    mutating func month() -> Int64? {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let index = names.firstIndex(where: { bytes[position...].starts(with: $0.utf8) }) else { return nil }
        position += 3
        return Int64(index + 1)
    }

    /// Seconds of the day; 60 is a leap second and counts as 59.
    mutating func time() -> Int64? {
        guard let hour = digits(2), hour < 24, accept(":"), let minute = digits(2), minute < 60, accept(":"),
            let second = digits(2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + min(second, 59)
    }
}
