/// What a person reads: one text per kind and language, replaceable from the config (`texts:`). Built once per plan.
package struct ErrorTexts: Sendable {
    private let english: [[UInt8]]
    private let chinese: [[UInt8]]

    /// An override for a kind or language that does not exist is an issue of the config file, and ignored here.
    package init(overrides: TextOverrides = TextOverrides()) {
        func table(_ language: Language) -> [[UInt8]] {
            let own = overrides.byLanguage[language.rawValue] ?? [:]
            return GatewayError.Kind.allCases.map {
                Array((own[$0.rawValue] ?? Self.builtIn($0, language)).utf8)
            }
        }
        english = table(.english)
        chinese = table(.simplifiedChinese)
    }

    /// UTF-8.
    package func text(_ kind: GatewayError.Kind, _ language: Language) -> [UInt8] {
        guard let index = GatewayError.Kind.allCases.firstIndex(of: kind) else { return [] }
        switch language {
        case .english: return english[index]
        case .simplifiedChinese: return chinese[index]
        }
    }

    package static func builtIn(_ kind: GatewayError.Kind, _ language: Language) -> String {
        switch language {
        case .english: english(kind)
        case .simplifiedChinese: chinese(kind)
        }
    }

    /// The system's own wording where there is one, so that apps that show it look native.
    private static func english(_ kind: GatewayError.Kind) -> String {
        switch kind {
        case .offline: "The Internet connection appears to be offline."
        case .dns: "A server with the specified hostname could not be found."
        case .refused: "Could not connect to the server."
        case .connectionLost: "The network connection was lost."
        case .tls: "An SSL error has occurred and a secure connection to the server cannot be made."
        case .timeout: "The request timed out."
        case .badAnswer: "The server's response could not be understood."
        case .upstreamError: "The server had a problem; try again later."
        case .loginRequired: "Please sign in first."
        case .loginRefused: "The sign-in was refused. Please check the account and the password."
        case .loginUnavailable: "Signing in is not possible at the moment. Please try again later."
        case .sessionPending: "Session expired; signing in again."
        case .sessionTaken: "Signed in on another device."
        case .overloaded: "Too many requests at the moment. Please try again later."
        case .badRequest: "The request is not valid."
        case .tooLarge: "The request is too large."
        case .notFound: "There is nothing at this address."
        case .forbidden: "This request is not allowed."
        case .internal: "Something went wrong in the gateway."
        }
    }

    /// Customary wording of Chinese apps: people know these sentences.
    private static func chinese(_ kind: GatewayError.Kind) -> String {
        switch kind {
        case .offline: "无网络连接，请检查网络"
        case .dns: "找不到服务器，请检查网络或服务器地址"
        case .refused: "无法连接服务器，请稍候再试"
        case .connectionLost: "网络连接已中断"
        case .tls: "无法建立安全连接"
        case .timeout: "请求超时，请稍候再试"
        case .badAnswer: "服务器返回的数据无法识别"
        case .upstreamError: "服务器开小差了，请稍候再试"
        case .loginRequired: "请先登录"
        case .loginRefused: "登录被拒绝，请检查用户名和密码"
        case .loginUnavailable: "暂时无法登录，请稍候再试"
        case .sessionPending: "登录超时,正在重新登录"
        case .sessionTaken: "您的账号已在其他设备登录"
        case .overloaded: "请求过多，请稍候再试"
        case .badRequest: "请求不正确"
        case .tooLarge: "请求内容过大"
        case .notFound: "请求的地址不存在"
        case .forbidden: "没有权限访问"
        case .internal: "网关内部错误"
        }
    }
}
