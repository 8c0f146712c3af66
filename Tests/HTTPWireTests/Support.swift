import HTTPWire

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// The head of a request that must be complete.
func parsed(_ text: String, limits: WireLimits = .init()) -> RequestHead? {
    let bytes = utf8(text)
    guard case .complete(let head, let consumed) = RequestHeadParser.parse(bytes.span, limits: limits),
        consumed == bytes.count
    else { return nil }
    return head
}

/// Why a request is refused; `nil` when it is not.
func refusal(_ text: String, limits: WireLimits = .init()) -> WireRefusal.Reason? {
    let bytes = utf8(text)
    guard case .refused(let refusal) = RequestHeadParser.parse(bytes.span, limits: limits) else { return nil }
    return refusal.reason
}
