import Bytes
import XMLBytes

/// Whatever the bytes: no trap, and what was accepted keeps its promises.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    do throws(XMLError) {
        let document = try XMLDocument(parsing: input)
        check(document)
        edit(document)
    } catch {
        require((0...input.count).contains(error.offset))
    }
    var limits = XMLLimits()
    (limits.depth, limits.nodes) = (2, 3)
    _ = try? XMLDocument(parsing: input, limits: limits)
    roundTrip(input)
    return 0
}

/// Children come after their parent, each once; a range of text is the text.
private func check(_ document: XMLDocument) {
    var seen = 1
    for (index, element) in document.elements.enumerated() {
        for child in element.children { require(child > index && child < document.elements.count) }
        seen += element.children.count
        require(XMLText.isName(element.name))
        require(UTF8Sequence.isValid(element.text.span))
        if let range = element.textRange { require(document.bytes[range] == element.text) }
    }
    require(seen == document.elements.count)
}

/// A field that is added is there, one that is cut out is gone, and the rest stays.
private func edit(_ document: XMLDocument) {
    let name = Array("sign".utf8)
    guard let added = XMLDocument.appending([(name, Array("<&>".utf8))], to: document.bytes) else { return }
    guard let again = try? XMLDocument(parsing: added) else { return require(false) }
    require(again.has(name) && again.fields.count == document.fields.count + 1)
    guard let kept = XMLDocument.dropping([name], from: added), let rest = try? XMLDocument(parsing: kept) else {
        return require(false)
    }
    require(!rest.has(name))
    // `<a/>` stays open, as it is when nothing is added to it.
    if !document.has(name) { require(kept == XMLDocument.appending([], to: document.bytes)) }
}

/// What can be written is read back as it was, but for what XML makes of a blank.
private func roundTrip(_ input: [UInt8]) {
    var text = Array("<a>".utf8)
    guard XMLText.appendEscaped(input[...], to: &text) else { return }
    text.append(contentsOf: "</a>".utf8)
    require((try? XMLDocument(parsing: text)).map { Array($0.root.text) } == input)
}

private func require(_ condition: Bool) { precondition(condition) }
