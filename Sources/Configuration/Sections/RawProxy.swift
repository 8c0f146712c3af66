/// `proxy`: a mapping, or the URL alone.
struct RawProxy {
    var url: Placed<URLSyntax>?
    var username: Placed<String>?
    var password: Placed<String>?

    private static let schemes = ["http", "socks5h"]

    private static var section: Section<RawProxy> {
        Section(RawProxy()) { _ in
            [
                .key(
                    "url", ValueReader.url(schemes).placed, into: \.url, isRequired: true,
                    "`http://host:port` or `socks5h://host:port`."),
                .key("username", ValueReader.text("name of a secret").placed, into: \.username, "Name of a secret."),
                .key("password", ValueReader.text("name of a secret").placed, into: \.password, "Name of a secret."),
            ]
        }
    }

    static var reader: ValueReader<RawProxy> {
        let section = section
        let url = ValueReader.url(schemes).placed
        return ValueReader(.either(url.type, section.reader.type)) { cursor in
            guard case .scalar = cursor.node.content else { return section.read(cursor) }
            return url.read(cursor).map { RawProxy(url: $0) }
        }
    }
}
