// swift-tools-version: 6.2
import PackageDescription

/// What only a release build gets, measured on the proxied request:
/// - functions are specialised and inlined across targets, which `package` access alone does not allow, and no dynamic
///   exclusivity checks: together about 10 % of the CPU time. Debug builds, and so all Swift tests, keep the checks.
/// - reference counts without atomic operations: 10 to 17 %. True only as long as ONE thread runs Swift code: the loop's
///   (libcurl's resolver threads run C). `.ci/lint` refuses threads, tasks and mailboxes while this stands; drop it with
///   the first.
let release = [
    "-cross-module-optimization", "-enforce-exclusivity=unchecked", "-Xfrontend", "-assume-single-threaded",
]

/// House settings: Swift 6 mode, warnings are errors, and memory safety is strict, so that an unsafe expression
/// stands out and can only live in the targets that fence a C library.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .unsafeFlags(release, .when(configuration: .release)),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: house)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
        resources: resources, swiftSettings: house)
}

let package = Package(
    name: "countersign",
    products: [.executable(name: "countersign", targets: ["countersign"])],
    targets: [
        // C libraries and the header-only shims that make their macros callable. No logic in here.
        .systemLibrary(name: "CEvent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CContent", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(name: "CLoopShims", dependencies: ["CEvent"]),
        .target(name: "CCurlShims", dependencies: ["CCurl"]),
        .target(name: "CCryptoShims", dependencies: ["COpenSSL"]),

        // Bytes in, values out: no I/O, no clock, no C.
        module("Bytes"),
        module("JSONBytes", ["Bytes"]),
        module("XMLBytes", ["Bytes"]),
        module("Redaction", ["Bytes", "XMLBytes"]),
        module("ContentCoding", ["Bytes", "CContent"]),
        module("HTTPWire", ["Bytes"]),
        module("Cryptography", ["Bytes", "COpenSSL", "CCryptoShims"]),
        // Reads the system's zone files.
        module("TimeZones"),
        module("Expressions", ["Bytes", "JSONBytes", "XMLBytes", "ContentCoding", "Cryptography", "TimeZones"]),
        module(
            "Domain",
            ["Bytes", "JSONBytes", "XMLBytes", "Redaction", "ContentCoding", "HTTPWire", "Cryptography", "Expressions"]),

        // Each fences one outside thing.
        module(
            "Configuration",
            ["Bytes", "ContentCoding", "XMLBytes", "Cryptography", "Expressions", "Domain", "HTTPWire", "CYAML"]),
        module("LoopKit", ["Bytes", "CEvent", "CLoopShims"]),
        module("CurlUpstream", ["Bytes", "HTTPWire", "Domain", "LoopKit", "Cryptography", "CCurl", "CCurlShims"]),
        module("PlainUpstream", ["Bytes", "HTTPWire", "Domain", "LoopKit"]),
        module("Observability", ["Bytes", "JSONBytes", "Redaction"]),

        // What the above is for.
        module(
            "Gateway",
            [
                "Bytes", "JSONBytes", "HTTPWire", "Cryptography", "Expressions", "Domain", "Configuration", "LoopKit",
                "CurlUpstream", "PlainUpstream", "Observability", "Redaction",
            ]),
        module("DemoUpstream", ["Bytes", "JSONBytes", "HTTPWire", "Cryptography", "LoopKit"]),
        .executableTarget(
            name: "countersign",
            dependencies: [
                "Bytes", "JSONBytes", "HTTPWire", "Cryptography", "Expressions", "Domain", "Configuration", "LoopKit",
                "Gateway", "DemoUpstream", "Observability", "Redaction",
            ],
            swiftSettings: house),

        // What `make bench` times in-process. No product, but built with the tests, so that it keeps compiling.
        .executableTarget(
            name: "FunctionBench", dependencies: ["Bytes", "Expressions", "Domain", "Configuration"],
            path: "Tests/Performance/Functions", swiftSettings: house),
        // `make bench-costs`: whether functions take the time that they are charged for.
        .executableTarget(
            name: "CostBench", dependencies: ["Bytes", "JSONBytes", "Expressions"], path: "Tests/Performance/Costs",
            swiftSettings: house),

        tests("Bytes"),
        tests("JSONBytes", ["Bytes"]),
        tests("XMLBytes", ["Bytes"]),
        tests("ContentCoding", ["Bytes"]),
        tests("TimeZones"),
        tests("HTTPWire", ["Bytes"]),
        tests("Cryptography", ["Bytes"]),
        tests("Expressions", ["Bytes", "JSONBytes", "Cryptography"]),
        tests("Domain", ["Bytes", "ContentCoding", "JSONBytes", "HTTPWire", "Cryptography", "Expressions"]),
        tests(
            "Configuration", ["Bytes", "Cryptography", "Expressions", "Domain", "HTTPWire"], exclude: ["Cases"]),
        tests("LoopKit", ["Bytes"]),
        // Both transports owe the same guards, so one suite tests them.
        .testTarget(
            name: "UpstreamTests",
            dependencies: ["Bytes", "HTTPWire", "Domain", "LoopKit", "CurlUpstream", "PlainUpstream"],
            swiftSettings: house),
        tests("Redaction", ["Bytes"]),
        tests("Observability", ["Bytes", "JSONBytes", "Redaction"]),
        tests("DemoUpstream", ["Bytes", "JSONBytes", "HTTPWire", "Cryptography", "LoopKit"]),
        tests(
            "Gateway",
            [
                "Bytes", "JSONBytes", "HTTPWire", "Cryptography", "Expressions", "Domain", "Configuration", "LoopKit",
                "Observability", "DemoUpstream",
            ]),
    ]
)
