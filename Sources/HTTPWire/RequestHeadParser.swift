import Bytes

/// Parses the head of one request in one pass (RFC 9112 2-3, strict). Resumable: give it the same bytes from the start of
/// the request each time, with more at the end; every byte is looked at once, so a client that sends single bytes costs
/// no more, and the verdict cannot depend on how the bytes were split.
package struct RequestHeadParser: Sendable {
    private enum Phase {
        case start, startLineFeed, method, target, version, versionLineFeed
        case lineStart, name, valueStart, value, valueLineFeed, endLineFeed, finished
    }

    private let limits: WireLimits
    private var phase = Phase.start
    private var position = 0
    /// First byte of the request line: 2 after an empty line, else 0.
    private var origin = 0
    /// First byte of the token or value under way.
    private var mark = 0
    private var nameStart = 0
    private var nameEnd = 0
    private var hasUnderscore = false
    private var method = RequestMethod.get
    private var targetRange = 0..<0
    private var parts: TargetParts?
    private var isHTTP10 = false
    private var facts = HeadFacts()
    private var entries: [PairBlock.Entry] = []
    private var underscored: [PairBlock.Entry] = []
    private var refusal: WireRefusal?

    package init(limits: WireLimits = .init()) { self.limits = limits.clamped }

    /// Parses a head that may or may not be whole.
    package static func parse(_ bytes: Span<UInt8>, limits: WireLimits = .init()) -> HeadParse {
        var parser = RequestHeadParser(limits: limits)
        return parser.parse(bytes)
    }

    /// Not a byte of a request has been seen: the connection is idle.
    package var isIdle: Bool { position == 0 || phase == .finished }

    /// Forgets the request under way, or a refusal; the next bytes start at offset 0 again.
    package mutating func reset() { self = RequestHeadParser(limits: limits) }

    /// Goes on with the request whose first byte is `bytes[0]`. After `.complete` the next call begins a new request.
    package mutating func parse(_ bytes: Span<UInt8>) -> HeadParse {
        if let refusal { return .refused(refusal) }
        if phase == .finished { reset() }
        do throws(WireRefusal) {
            while phase != .finished {
                guard try step(bytes) else { return .incomplete }
            }
            return .complete(try finish(bytes), consumed: position)
        } catch {
            refusal = error
            return .refused(error)
        }
    }

    /// Works on the current phase; false when it needs more bytes.
    @inline(__always)
    private mutating func step(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        switch phase {
        case .start: return try start(bytes)
        case .method: return try scanMethod(bytes)
        case .target: return try scanTarget(bytes)
        case .version: return try scanVersion(bytes)
        case .lineStart, .name, .valueStart, .value: return try scanField(bytes)
        case .startLineFeed, .versionLineFeed, .valueLineFeed, .endLineFeed: return try scanLineFeed(bytes)
        case .finished: return true
        }
    }

    // MARK: Request line

    /// At most one empty line before the request line (RFC 9112 2.2).
    private mutating func start(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        guard position < bytes.count else { return false }
        if bytes[position] == ByteClass.carriageReturn, position == 0 {
            position = 1
            phase = .startLineFeed
        } else {
            origin = position
            mark = position
            phase = .method
        }
        return true
    }

    private mutating func scanMethod(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        // Longer than any registered method (RFC 9110 16.1.1): no reason to wait for its end.
        let bound = min(origin + RequestMethod.longest + 1, origin + limits.requestLine)
        let end = min(bytes.count, bound)
        var index = position
        while index < end, ByteClass.isToken(bytes[index]) { index &+= 1 }
        position = index
        guard index < end else {
            if index >= bound { throw WireRefusal(.unknownMethod) }
            return false
        }
        guard bytes[index] == ByteClass.space, index > mark else { throw lineFault(bytes[index]) }
        method = try RequestMethod.parse(bytes.extracting(mark..<index), extensions: limits.extensionMethods)
        position = index + 1
        mark = position
        phase = .target
        return true
    }

    private mutating func scanTarget(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        let bound = origin + limits.requestLine
        let end = min(bytes.count, bound)
        let index = ByteClass.endOfVisible(bytes.extracting(0..<end), from: position)
        position = index
        guard index < end else { return try wait(.requestLineTooLong, at: bound) }
        guard bytes[index] == ByteClass.space else { throw lineFault(bytes[index]) }
        parts = try TargetParts(bytes.extracting(mark..<index), method: method)
        targetRange = mark..<index
        position = index + 1
        mark = position
        phase = .version
        return true
    }

    /// `HTTP/1.` DIGIT CR. A minor version above 1 is treated as 1.1 (RFC 9110 2.5).
    private mutating func scanVersion(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        let bound = origin + limits.requestLine
        let end = min(bytes.count, bound)
        while position < end {
            let byte = bytes[position]
            switch position - mark {
            case 0: guard byte == 0x48 else { throw lineFault(byte) }
            case 1, 2: guard byte == 0x54 else { throw WireRefusal(.badVersion) }
            case 3: guard byte == 0x50 else { throw WireRefusal(.badVersion) }
            case 4: guard byte == 0x2F else { throw WireRefusal(.badVersion) }
            case 5:
                guard byte &- 0x30 < 10 else { throw WireRefusal(.badVersion) }
                guard byte == 0x31 else { throw WireRefusal(.unsupportedVersion) }
            case 6: guard byte == 0x2E else { throw WireRefusal(.badVersion) }
            case 7:
                guard byte &- 0x30 < 10 else { throw WireRefusal(.badVersion) }
                isHTTP10 = byte == 0x30
            default:
                guard byte == ByteClass.carriageReturn else { throw lineFault(byte) }
                position += 1
                phase = .versionLineFeed
                return true
            }
            position += 1
        }
        return try wait(.requestLineTooLong, at: bound)
    }

    // MARK: Fields

    /// One field line, from whatever phase it is in. Straight on instead of a dispatch per phase: indirect jumps were a
    /// tenth of a head's cost.
    @inline(__always)
    private mutating func scanField(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        if phase == .lineStart {
            guard try startLine(bytes) else { return false }
            if phase == .endLineFeed { return true }
        }
        if phase == .name {
            guard try scanName(bytes) else { return false }
        }
        guard try scanValue(bytes) else { return false }
        return try scanLineFeed(bytes)
    }

    @inline(__always)
    private mutating func startLine(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        guard position < min(bytes.count, headBound) else { return try wait(.headTooLarge, at: headBound) }
        let byte = bytes[position]
        if byte == ByteClass.carriageReturn {
            position += 1
            phase = .endLineFeed
            return true
        }
        guard !ByteClass.isBlank(byte) else { throw WireRefusal(.obsoleteFold) }
        guard entries.count + underscored.count < limits.fields else { throw WireRefusal(.tooManyFields) }
        nameStart = position
        hasUnderscore = false
        phase = .name
        return true
    }

    @inline(__always)
    private mutating func scanName(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        let nameBound = nameStart + limits.nameBytes + 1
        let end = min(bytes.count, nameBound, headBound)
        var index = position
        var underscore = hasUnderscore
        let window = bytes.extracting(0..<end)
        while index < window.count {
            let byte = window[index]
            // Letters and dashes first: they are nine tenths of all names.
            if (byte | 0x20) &- 0x61 >= 26, byte != 0x2D {
                guard ByteClass.isToken(byte) else { break }
                if byte == 0x5F { underscore = true }
            }
            index &+= 1
        }
        hasUnderscore = underscore
        position = index
        guard index < end else {
            return index >= nameBound
                ? try wait(.fieldNameTooLong, at: nameBound) : try wait(.headTooLarge, at: headBound)
        }
        guard bytes[index] == ByteClass.colon, index > nameStart else {
            throw bytes[index] == ByteClass.lineFeed ? WireRefusal(.bareLineFeed) : WireRefusal(.badFieldName)
        }
        nameEnd = index
        position = index + 1
        phase = .valueStart
        return true
    }

    @inline(__always)
    private mutating func scanValue(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        let end = min(bytes.count, headBound)
        var index = position
        if phase == .valueStart {
            while index < end, ByteClass.isBlank(bytes[index]) { index &+= 1 }
            mark = index
            position = index
            guard index < end else { return try wait(.headTooLarge, at: headBound) }
            phase = .value
        }
        index = ByteClass.endOfFieldText(bytes.extracting(0..<end), from: index)
        position = index
        guard index < end else { return try wait(.headTooLarge, at: headBound) }
        guard bytes[index] == ByteClass.carriageReturn else {
            throw bytes[index] == ByteClass.lineFeed ? WireRefusal(.bareLineFeed) : WireRefusal(.badFieldValue)
        }
        position = index + 1
        phase = .valueLineFeed
        return true
    }

    @inline(__always)
    private mutating func endField(_ bytes: Span<UInt8>) throws(WireRefusal) {
        var valueEnd = position - 2
        while valueEnd > mark, ByteClass.isBlank(bytes[valueEnd - 1]) { valueEnd &-= 1 }
        let entry = PairBlock.Entry(
            nameStart: nameStart, nameCount: nameEnd - nameStart, valueStart: mark, valueCount: valueEnd - mark)
        if hasUnderscore {
            underscored.append(entry)
            return
        }
        // Most heads have fewer fields, so that the array is allocated once.
        if entries.isEmpty { entries.reserveCapacity(16) }
        try facts.inspect(
            name: bytes.extracting(nameStart..<nameEnd), value: bytes.extracting(mark..<valueEnd), index: entries.count,
            isHTTP10: isHTTP10)
        entries.append(entry)
    }

    // MARK: Line ends and the result

    @inline(__always)
    private mutating func scanLineFeed(_ bytes: Span<UInt8>) throws(WireRefusal) -> Bool {
        let isRequestLine = phase == .versionLineFeed
        let bound = isRequestLine ? origin + limits.requestLine : headBound
        guard position < min(bytes.count, bound) else {
            return try wait(isRequestLine ? .requestLineTooLong : .headTooLarge, at: bound)
        }
        guard bytes[position] == ByteClass.lineFeed else { throw WireRefusal(.bareCarriageReturn) }
        position += 1
        switch phase {
        case .startLineFeed: phase = .start
        case .versionLineFeed: phase = .lineStart
        case .valueLineFeed:
            try endField(bytes)
            phase = .lineStart
        default: phase = .finished
        }
        return true
    }

    private var headBound: Int { origin + limits.head }

    /// More bytes are needed: refuse at once when the limit leaves no room for them.
    private func wait(_ reason: WireRefusal.Reason, at bound: Int) throws(WireRefusal) -> Bool {
        guard position < bound else { throw WireRefusal(reason) }
        return false
    }

    private func lineFault(_ byte: UInt8) -> WireRefusal {
        WireRefusal(byte == ByteClass.lineFeed ? .bareLineFeed : .badRequestLine)
    }

    private mutating func finish(_ bytes: Span<UInt8>) throws(WireRefusal) -> RequestHead {
        let settled = try facts.settle(isHTTP10: isHTTP10)
        guard let parts else { throw WireRefusal(.badRequestLine) }
        var copy: [UInt8] = []
        copy.reserveCapacity(position + (parts.path.isEmpty ? targetRange.count : 0))
        copy.append(copying: bytes.extracting(0..<position))
        func moved(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound + targetRange.lowerBound..<range.upperBound + targetRange.lowerBound
        }
        var path = moved(parts.path)
        var query = parts.query.map(moved)
        if parts.path.isEmpty {
            // Absolute-form without a path: the origin-form is built behind the head, so that it is one slice too.
            path = copy.count..<copy.count + 1
            copy.append(0x2F)
            if let old = query {
                copy.append(0x3F)
                query = copy.count..<copy.count + old.count
                copy.append(copying: bytes.extracting(old))
            }
        }
        let fields = PairBlock(bytes: copy, entries: entries)
        entries = []
        return RequestHead(
            method: method, fields: fields, framing: settled.framing, isHTTP10: isHTTP10,
            keepAlive: settled.keepAlive, expectsContinue: settled.expects, isAsteriskForm: parts.isAsterisk,
            hostIndex: facts.hostIndex, targetRange: ByteRange(targetRange),
            authorityRange: parts.authority.map { ByteRange(moved($0)) }, pathRange: ByteRange(path),
            queryRange: query.map { ByteRange($0) }, underscored: underscored)
    }
}
