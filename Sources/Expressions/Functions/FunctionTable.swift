/// The functions that an expression may call.
package struct FunctionTable: Sendable {
    package typealias Entry = (name: String, signatures: [String], summary: String, example: String)

    /// What CEL and its usual extensions define, and the digests, encodings and dates that signing needs.
    package static let standard = FunctionTable(
        (conversions + sizes + strings + lists + optionals + times + encoders + digests + maths + keys + jose + jsonText
            + jsonForms + documents + php + nonces + pairs + addresses + texts + structured + charsets + tokens
            + keyNumbers + ciphers + derivations + byteStrings + sets + patterns + compressions
            + sharedSecrets + rareDigests + base58)
            .map { $0.checking(FunctionChecks.check(for: $0)).costing(FunctionCosts.cost(of: $0)) }
    )

    package let functions: [Function]
    /// Expressions that are compiled with it tell a `SecretTrail` what they do.
    let isRecording: Bool
    private let globals: [String: [Int]]
    private let members: [String: [Int]]

    package init(_ functions: [Function], isRecording: Bool = false) {
        self.functions = functions
        self.isRecording = isRecording
        var (globals, members): ([String: [Int]], [String: [Int]]) = ([:], [:])
        for (index, function) in functions.enumerated() {
            if function.isMember {
                members[function.name, default: []].append(index)
            } else {
                globals[function.name, default: []].append(index)
            }
        }
        self.globals = globals
        self.members = members
    }

    /// This table and more functions.
    package func adding(_ more: [Function]) -> FunctionTable {
        FunctionTable(functions + more, isRecording: isRecording)
    }

    /// A page of the manual, in the order of the table; macros come first.
    package var documentation: [Entry] {
        Macro.documentation
            + functions.map { ($0.name, $0.signatures.map(\.text), $0.summary, $0.example) }
    }

    func named(_ name: String, isMember: Bool) -> [Function] {
        (isMember ? members : globals)[name, default: []].map { functions[$0] }
    }

    func names(isMember: Bool) -> [String] { Array((isMember ? members : globals).keys).sorted() }

    /// First parts of dotted names, such as `hash`.
    func isNamespace(_ name: String) -> Bool { globals.keys.contains { $0.hasPrefix(name + ".") } }
}
