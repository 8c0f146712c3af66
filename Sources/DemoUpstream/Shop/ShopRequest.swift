import Bytes

/// One call of the shop's API, taken apart.
struct ShopRequest: Sendable {
    /// Lower case: the shop's router and PHP's methods ignore case.
    var controller: [UInt8]
    var action: [UInt8]
    /// `$_POST`: empty unless the request is a POST with a form body.
    var form: PHPForm
    /// `$_GET`.
    var query: PHPForm
    var isPost: Bool

    /// ThinkPHP's `I('name')`: the form of a POST, else the query.
    func input(_ name: StaticString) -> [UInt8] { isPost ? form.text(name) : query.text(name) }

    /// Takes a request apart; `nil` when the path is none of the shop's. `/index.php?m=Api&c=User&a=login` or
    /// `/index.php/Api/User/login` (a `.html` at the end is ThinkPHP's habit).
    init?(
        isPost: Bool, path: ArraySlice<UInt8>, query: ArraySlice<UInt8>, contentType: ArraySlice<UInt8>, body: [UInt8]
    ) {
        self.isPost = isPost
        self.query = PHPForm(query.span)
        form = isPost ? FormBody.parse(body, contentType: contentType) : PHPForm()
        var segments = path.split(separator: 0x2F).map(Array.init)
        if segments.first == Array("index.php".utf8) { segments.removeFirst() }
        if segments.isEmpty {
            guard Self.folded(self.query.text("m")) == Array("api".utf8) else { return nil }
            controller = Self.folded(self.query.text("c"))
            action = Self.folded(self.query.text("a"))
        } else {
            guard segments.count == 3, Self.folded(segments[0]) == Array("api".utf8) else { return nil }
            controller = Self.folded(segments[1])
            action = Self.folded(segments[2])
            let suffix = Array(".html".utf8)
            if action.suffix(5).elementsEqual(suffix) { action.removeLast(5) }
        }
        guard !controller.isEmpty, !action.isEmpty else { return nil }
    }

    private static func folded(_ bytes: [UInt8]) -> [UInt8] { bytes.map { ASCII.lower($0) } }
}
