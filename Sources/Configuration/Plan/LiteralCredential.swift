import Expressions

/// Notices a credential that stands in the config file itself. Where a key takes nothing else it is an error; where the user
/// named the field it is a guess by the name, so a warning. The value is not shown.
enum LiteralCredential {
    private static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "password", "passwd", "pwd", "secret", "client_secret",
        "token", "access_token", "refresh_token", "api_key", "apikey", "x-api-key", "x-auth-token", "private_key",
        "app_secret", "appsecret",
    ]

    /// For a key that takes a credential and nothing else.
    static func check(_ cursor: Cursor?, _ template: Template?) {
        guard let cursor, let template, template.isConstant, !template.source.isEmpty else { return }
        cursor.report(
            "a secret is a reference, never a text in this file", hint: "name it under secrets and write ${secret.NAME}"
        )
    }

    static func check(_ field: Named<Cursor>, _ template: Template) {
        guard template.isConstant, !template.source.isEmpty, names.contains(field.name.lowercased()) else { return }
        field.value.report(
            "looks like a secret in the config file itself",
            hint: "name it under secrets and write ${secret.NAME}", severity: .warning)
    }
}
