import TimeZones

/// Any file as a zone: no trap, and offsets that a clock can have.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let zone = TimeZone(Array(UnsafeBufferPointer(start: bytes, count: count))) else { return 0 }
    for time: Int64 in [-62_135_596_800, -1, 0, 1_700_000_000, 4_000_000_000, 253_402_300_799] {
        let (offset, local) = (zone.offset(at: time), zone.offset(atLocal: time))
        if abs(offset) > 7 * 86_400 || abs(local) > 7 * 86_400 { fatalError("an offset of weeks") }
    }
    return 0
}
