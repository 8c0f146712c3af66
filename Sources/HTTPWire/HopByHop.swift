package import Bytes

/// Fields that end at this hop (RFC 9110 7.6.1), and fields a client or an upstream has no say in.
package enum HopByHop {
    /// Removes from a client's fields what must not go on: hop-by-hop fields, those its `Connection` nominates, `Host` and
    /// the framing fields (they follow from the upstream and the body), and claims about the way the request came.
    /// Must run before our own fields are added, so that `Connection: Authorization` cannot remove ours.
    package static func strip(request fields: inout PairBlock) {
        strip(&fields, isDropped: isDropped(fromRequest:))
    }

    /// Removes from an upstream's fields hop-by-hop and framing fields, nominated ones, what would change how a browser
    /// treats the gateway's own origin, and what only the gateway says of an answer.
    package static func strip(response fields: inout PairBlock) {
        strip(&fields, isDropped: isDropped(fromResponse:))
    }

    private static func strip(_ fields: inout PairBlock, isDropped: (Span<UInt8>) -> Bool) {
        let nominated = nominatedNames(fields)
        let bytes = fields.bytes
        let span = bytes.span
        var kept: [PairBlock.Entry] = []
        kept.reserveCapacity(fields.count)
        for entry in fields.entries {
            let start = Int(entry.nameStart)
            let name = span.extracting(start..<start + Int(entry.nameCount))
            if isDropped(name) { continue }
            if !nominated.isEmpty, nominated.contains(where: { ASCII.equalFolded($0.span, name) }) { continue }
            kept.append(entry)
        }
        fields = PairBlock(bytes: bytes, entries: kept)
    }

    /// Names listed by `Connection` fields. Usually none, so usually no allocation.
    private static func nominatedNames(_ fields: PairBlock) -> [[UInt8]] {
        var names: [[UInt8]] = []
        for index in fields.entries.indices where fields.entries[index].nameCount == 10 {
            let name = fields.name(at: index)
            guard name.span.isFolded("connection") else { continue }
            let value = fields.value(at: index)
            CommaList.forEach(value.span) { member in
                guard !member.isFolded("close"), !member.isFolded("keep-alive") else { return }
                var copy: [UInt8] = []
                copy.append(copying: member)
                names.append(copy)
            }
        }
        return names
    }

    /// Whether a request field never goes on.
    package static func isDropped(fromRequest name: Span<UInt8>) -> Bool {
        switch name.count {
        case 2: return name.isFolded("te")
        case 4: return name.isFolded("host")
        case 5: return name.isFolded("proxy")
        case 6: return name.isFolded("expect")
        case 7: return name.isFolded("trailer") || name.isFolded("upgrade")
        case 9: return name.isFolded("forwarded") || name.isFolded("x-real-ip")
        case 10 where name.isFolded("connection") || name.isFolded("keep-alive"): return true
        case 11 where name.isFolded("x-client-ip"): return true
        case 13 where name.isFolded("x-rewrite-url"): return true
        case 14
        where name.isFolded("content-length") || name.isFolded("x-original-url") || name.isFolded("http2-settings")
            || name.isFolded("true-client-ip"):
            return true
        case 17 where name.isFolded("transfer-encoding"): return true
        default: break
        }
        return hasPrefix(name, 0x70, "proxy-") || hasPrefix(name, 0x78, "x-forwarded-")
    }

    /// Whether a response field never reaches a client.
    package static func isDropped(fromResponse name: Span<UInt8>) -> Bool {
        switch name.count {
        case 2: return name.isFolded("te")
        case 7:
            return name.isFolded("trailer") || name.isFolded("upgrade") || name.isFolded("alt-svc")
                || name.isFolded("refresh")
        case 10 where name.isFolded("connection") || name.isFolded("keep-alive"): return true
        case 14 where name.isFolded("content-length"): return true
        case 15 where name.isFolded("clear-site-data"): return true
        case 17 where name.isFolded("transfer-encoding"): return true
        case 22 where name.isFolded("service-worker-allowed"): return true
        case 25 where name.isFolded("strict-transport-security"): return true
        default: break
        }
        return hasPrefix(name, 0x70, "proxy-") || hasPrefix(name, 0x61, "access-control-")
            || hasPrefix(name, 0x63, "countersign-")
    }

    /// Looks at the first letter by itself: nearly no name gets further.
    private static func hasPrefix(_ name: Span<UInt8>, _ first: UInt8, _ prefix: StaticString) -> Bool {
        name.count > 0 && name[0] | 0x20 == first && name.hasFoldedPrefix(prefix)
    }
}
