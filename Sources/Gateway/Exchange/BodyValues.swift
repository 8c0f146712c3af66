import Bytes
import Domain

/// Counts what a body is made of before anybody takes it apart: each piece costs time on the one thread, and memory.
enum BodyValues {
    /// Whether a JSON text has at most so many values and names, or is none.
    static func fit(json text: Span<UInt8>, _ limit: Int) -> Bool {
        // The usual case by its length alone.
        guard text.count >= limit, let first = firstByte(text), first == 0x7B || first == 0x5B else { return true }
        var (count, isText, isEscaped) = (1, false, false)
        for index in text.indices {
            let byte = text[index]
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                }
                continue
            }
            switch byte {
            case 0x22: isText = true
            // Each begins a value or a name, or stands between two.
            case 0x2C, 0x3A, 0x5B, 0x7B:
                count += 1
                if count > limit { return false }
            default: break
            }
        }
        return true
    }

    /// Whether an XML text has at most so many elements and attributes, or is none.
    static func fit(xml text: Span<UInt8>, _ limit: Int) -> Bool {
        guard text.count >= limit, firstByte(text) == 0x3C else { return true }
        var count = 0
        for index in text.indices.dropLast() {
            let (byte, next) = (text[index], text[index + 1])
            let isElement = byte == 0x3C && next != 0x2F && next != 0x21 && next != 0x3F
            let isAttribute = byte == 0x3D && (next == 0x22 || next == 0x27)
            guard isElement || isAttribute else { continue }
            count += 1
            if count > limit { return false }
        }
        return true
    }

    /// Whether a multipart body has at most so many parts.
    static func fit(multipart text: Span<UInt8>, contentType: ArraySlice<UInt8>, _ limit: Int) -> Bool {
        // A part takes its boundary and a header.
        guard text.count >= limit, let boundary = MultipartReader.boundary(of: contentType) else { return true }
        let delimiter = [0x2D, 0x2D] + boundary
        var (count, index) = (0, 0)
        while index + delimiter.count <= text.count {
            // Every part begins behind a line break, or at the very start.
            if text[index] == 0x2D, index == 0 || text[index - 1] == 0x0A,
                ASCII.equal(text.extracting(index..<index + delimiter.count), delimiter.span)
            {
                count += 1
                // The last one is the end.
                if count > limit + 1 { return false }
                index += delimiter.count
            } else {
                index += 1
            }
        }
        return true
    }

    private static func firstByte(_ text: Span<UInt8>) -> UInt8? {
        for index in text.indices where text[index] > 0x20 { return text[index] }
        return nil
    }
}
