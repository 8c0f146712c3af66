import Configuration
import Cryptography
import Domain
import Foundation
import Testing

/// Who may read a secret's file decides whether it is taken.
struct SecretFileTests {
    private static let canary = "canary-7f3a"

    private func loadSecret(_ reference: String, in folder: TestFolder, environment: [String: String] = [:]) throws
        -> ConfigOutcome
    {
        let file = try folder.write(minimal("secrets: {s: \(reference)}\n"), to: "c.yaml")
        return ConfigLoader(environment: environment).load(path: file)
    }

    private func value(_ outcome: ConfigOutcome) -> [UInt8]? {
        guard case .plan(let plan, _) = outcome else { return nil }
        return plan.secrets.first?.value.unsealed
    }

    @Test(arguments: [0o600, 0o400, 0o700, 0o500])
    func ownerOnlyIsTaken(_ mode: Int) throws {
        let folder = try TestFolder()
        try folder.write(SecretFileTests.canary + "\n", to: "s", mode: mode)
        #expect(value(try loadSecret("{file: s}", in: folder)) == Array(SecretFileTests.canary.utf8))
    }

    @Test(arguments: [0o640, 0o644, 0o604, 0o660, 0o666, 0o620, 0o602, 0o610, 0o601, 0o777, 0o440, 0o444])
    func openToOthersIsRefused(_ mode: Int) throws {
        let folder = try TestFolder()
        try folder.write(SecretFileTests.canary, to: "s", mode: mode)
        let outcome = try loadSecret("{file: s}", in: folder)
        #expect(!outcome.isPlan)
        #expect(outcome.text.contains("is open to group or others (mode \(String(mode, radix: 8)))"))
        #expect(!outcome.text.contains(SecretFileTests.canary))
    }

    @Test(.enabled(if: getuid() == 0, "needs root to give a file away"))
    func anotherOwnerIsRefused() throws {
        let folder = try TestFolder()
        let file = try folder.write(SecretFileTests.canary, to: "s")
        try FileManager.default.setAttributes([.ownerAccountID: 12345], ofItemAtPath: file)
        #expect(try loadSecret("{file: s}", in: folder).text.contains("belongs to another user"))
    }

    @Test(arguments: [(0o770, true), (0o707, true), (0o755, false), (0o1777, false)])
    func writableFoldersAreRefused(_ mode: Int, _ isRefused: Bool) throws {
        let folder = try TestFolder()
        try folder.write(SecretFileTests.canary, to: "secrets/s")
        try folder.setMode(mode, of: "secrets")
        let outcome = try loadSecret("{file: secrets/s}", in: folder)
        #expect(outcome.isPlan == !isRefused)
        #expect(outcome.text.contains("others can write to the folder") == isRefused)
    }

    @Test func linksAreRefused() throws {
        let folder = try TestFolder()
        try folder.write(SecretFileTests.canary, to: "real")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/s", withDestinationPath: folder.path + "/real")
        #expect(try loadSecret("{file: s}", in: folder).text.contains("is a symbolic link (name the file itself)"))
    }

    @Test func foldersAndPipesAreRefused() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/d", withIntermediateDirectories: true)
        #expect(unsafe mkfifo(folder.path + "/p", 0o600) == 0)
        for name in ["d", "p"] {
            #expect(try loadSecret("{file: \(name)}", in: folder).text.contains("is not a regular file"))
        }
    }

    @Test(arguments: [(65_536, true), (65_537, false)]) func sizeIsBounded(_ count: Int, _ isTaken: Bool) throws {
        let folder = try TestFolder()
        try folder.write(String(repeating: "x", count: count), to: "s")
        let outcome = try loadSecret("{file: s}", in: folder)
        #expect(outcome.isPlan == isTaken)
        if !isTaken { #expect(outcome.text.contains("is too large")) }
    }

    @Test(arguments: [
        ("a\n", "a"), ("a\r\n", "a"), ("a\n\n", "a\n"), ("a", "a"), (" a ", " a "), ("\na", "\na"),
    ])
    func oneLineBreakIsDropped(_ text: String, _ expected: String) throws {
        let folder = try TestFolder()
        try folder.write(text, to: "s")
        #expect(value(try loadSecret("{file: s}", in: folder)) == Array(expected.utf8))
    }

    @Test(arguments: ["", "\n"]) func emptyIsRefused(_ text: String) throws {
        let folder = try TestFolder()
        try folder.write(text, to: "s")
        #expect(try loadSecret("{file: s}", in: folder).text.contains("the secret is empty"))
    }

    @Test func absolutePathsStay() throws {
        let (folder, other) = (try TestFolder(), try TestFolder())
        let file = try other.write(SecretFileTests.canary, to: "s")
        #expect(value(try loadSecret("{file: \(file)}", in: folder)) == Array(SecretFileTests.canary.utf8))
    }

    @Test func credentialsComeFromTheirFolder() throws {
        let (folder, credentials) = (try TestFolder(), try TestFolder())
        try credentials.write(SecretFileTests.canary, to: "token", mode: 0o440)
        let environment = ["CREDENTIALS_DIRECTORY": credentials.path]
        let outcome = try loadSecret("{credential: token}", in: folder, environment: environment)
        #expect(value(outcome) == Array(SecretFileTests.canary.utf8))
        try credentials.setMode(0o444, of: "token")
        #expect(!(try loadSecret("{credential: token}", in: folder, environment: environment)).isPlan)
        for name in ["../x", "..", "a/b", "\"\""] {
            #expect(!(try loadSecret("{credential: \(name)}", in: folder, environment: environment)).isPlan)
        }
        #expect(try loadSecret("{credential: token}", in: folder).text.contains("there is no credentials folder"))
    }

    @Test func theEnvironmentIsTakenWithARemark() throws {
        let folder = try TestFolder()
        let outcome = try loadSecret("{env: S}", in: folder, environment: ["S": SecretFileTests.canary])
        #expect(value(outcome) == Array(SecretFileTests.canary.utf8))
        let remarks = outcome.messages.filter { !$0.text.hasSuffix("is used by nothing") }
        #expect(remarks.map(\.severity) == [.info])
        #expect(!outcome.text.contains(SecretFileTests.canary))
        #expect(!String(describing: outcome).contains(SecretFileTests.canary))
    }

    @Test(arguments: [(0o600, true), (0o644, true), (0o664, false), (0o646, false)])
    func theConfigItselfMayBeReadButNotWritten(_ mode: Int, _ isTaken: Bool) throws {
        let folder = try TestFolder()
        let file = try folder.write(minimal(""), to: "c.yaml", mode: mode)
        let outcome = ConfigLoader(environment: [:]).load(path: file)
        #expect(outcome.isPlan == isTaken)
        if !isTaken { #expect(outcome.text.contains("can write this file")) }
    }

    @Test func aMissingConfigIsOneIssue() throws {
        let outcome = ConfigLoader(environment: [:]).load(path: "/nowhere/c.yaml")
        #expect(outcome.text == "/nowhere/c.yaml: no such file")
    }

    @Test func clientKeysAreSecretsToo() throws {
        let folder = try TestFolder()
        try folder.write("cert", to: "c.pem", mode: 0o644)
        try folder.write("key", to: "k.pem", mode: 0o644)
        let text = minimal("").replacing(
            "\"}}", with: "\", tls: {client_certificate: c.pem, client_key: k.pem}}}")
        let file = try folder.write(text, to: "c.yaml")
        let loader = ConfigLoader(environment: [:])
        #expect(loader.load(path: file).text.contains("is open to group or others"))
        try folder.setMode(0o600, of: "k.pem")
        guard case .plan(let plan, _) = loader.load(path: file) else {
            Issue.record("not loaded")
            return
        }
        #expect(plan.upstreams[0].tls.clientKey == folder.path + "/k.pem")
    }

    /// systemd's ACL for the service's user shows as group bits.
    @Test(arguments: [(0o440, true), (0o400, true), (0o444, false), (0o460, false)])
    func aClientKeyMayBeACredentialOfSystemd(_ mode: Int, _ isTaken: Bool) throws {
        let (folder, credentials) = (try TestFolder(), try TestFolder())
        try folder.write("cert", to: "c.pem", mode: 0o644)
        let key = try credentials.write("key", to: "k.pem", mode: mode)
        let text = minimal("").replacing(
            "\"}}", with: "\", tls: {client_certificate: c.pem, client_key: \(key)}}}")
        let file = try folder.write(text, to: "c.yaml")
        let environment = ["CREDENTIALS_DIRECTORY": credentials.path + "/"]
        #expect(ConfigLoader(environment: environment).load(path: file).isPlan == isTaken)
        // Elsewhere the group has no business with it.
        #expect(ConfigLoader(environment: [:]).load(path: file).isPlan == (mode == 0o400))
    }
}
