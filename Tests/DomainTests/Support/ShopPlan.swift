import Cryptography
import Expressions
import HTTPWire

@testable import Domain

/// A shop dialect as a plan, compiled so that `explain` sees what is signed.
struct ShopPlan {
    let recorder = CallRecorder()
    var login = RoutePlan.LoginRule.required
    var signature = "hex.encode(hash.md5(request.form.map(f, f.value).join('') + vars.time + secret.key))"
    var skip: String?
    var bodyLimit: UInt64 = 1000
    var version = UpstreamPlan.HTTPVersion.http1
    var proxy: String?

    func make() throws -> GatewayPlan {
        var upstream = UpstreamPlan(name: "shop", scheme: .http, host: "shop.test", port: 80, basePath: bytes("/base"))
        upstream.proxy = proxy
        upstream.version = version
        var route = RoutePlan(name: "/api/**", pattern: try PathPattern(parsing: "/api/**"), upstream: 0)
        route.methods = [.get, .post]
        route.session = 0
        route.login = login
        route.limits.body = bodyLimit
        let scopes = Scopes(secretNames: ["key"], functions: FunctionTable.standard.recording(to: recorder))
        route.rewrite = try Template(parsing: "/i.php?m=${request.segments[1]}", in: scopes.request())
        route.signatures = [try signature(scopes)]
        let session = SessionPlan(
            name: "shop", upstream: 0,
            login: [LoginStep(method: bytes("POST"), path: try Template(parsing: "/l", in: scopes.request()))],
            expired: try Expression(parsing: "status == 440", in: scopes.response(captures: ["token"])),
            expiredReadsBody: true,
            attach: AttachPlan(fields: [
                AttachPlan.Field(
                    place: .form, name: bytes("token"),
                    value: try Template(parsing: "${session.token}", in: scopes.request(captures: ["token"])))
            ]), captureNames: ["token"], limits: SessionLimits())
        let key = bytes("s3cret")
        return GatewayPlan(
            listeners: [.tcp(host: "127.0.0.1", port: 8080)], admin: nil, access: AccessPlan(), limits: GatewayLimits(),
            log: LogPlan(), texts: TextOverrides(),
            secrets: [NamedSecret(name: "key", value: Secret(copying: key.span))],
            upstreams: [upstream], reachability: [ReachabilityPlan()], sessions: [session], routes: [route])
    }

    private func signature(_ scopes: Scopes) throws -> SignaturePlan {
        let first = scopes.request(captures: ["token"])
        let second = scopes.request(captures: ["token"], variables: ["time"])
        let all = scopes.request(captures: ["token"], variables: ["time", "sign"])
        return SignaturePlan(
            name: "md5",
            variables: [
                .init(name: "time", value: try Expression(parsing: "string(int(now))", in: first)),
                .init(name: "sign", value: try Expression(parsing: signature, in: second)),
            ],
            attach: AttachPlan(fields: [
                AttachPlan.Field(
                    place: .form, name: bytes("sign"), value: try Template(parsing: "${vars.sign}", in: all)),
                AttachPlan.Field(
                    place: .header, name: bytes("X-Time"), value: try Template(parsing: "${vars.time}", in: all)),
            ]), skip: try skip.map { try Expression(parsing: $0, in: first) }, readsBody: true)
    }
}
