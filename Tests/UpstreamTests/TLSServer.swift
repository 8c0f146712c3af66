import Foundation

/// Certificates made with the openssl command, and `openssl s_server` on a port of the kernel's choice.
final class TLSServer {
    let directory: URL
    private var process: Process?
    private(set) var port: UInt16 = 0

    /// nil when there is no openssl command.
    init?(arguments: [String] = [], name: String = "localhost") throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        guard try makeCertificate("server", name), try makeCertificate("client", "client") else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.currentDirectoryURL = directory
        process.arguments =
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-www"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = Pipe()
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        var text = ""
        while !text.contains("ACCEPT "),
            let more = String(data: output.fileHandleForReading.availableData, encoding: .utf8),
            !more.isEmpty
        {
            text += more
        }
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT ") }),
            let number = line.split(separator: ":").last.flatMap({ UInt16($0) })
        else { return nil }
        port = number
    }

    deinit {
        // s_server takes SIGTERM as a hint only.
        if let process { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ file: String) -> String { directory.appendingPathComponent(file).path }

    /// `sha256//BASE64` of the certificate's public key.
    func pin(of file: String) throws -> String {
        "sha256//"
            + (try run(
                "openssl x509 -in \(file) -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64"
            )).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func makeCertificate(_ file: String, _ name: String) throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") else { return false }
        _ = try run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=\(name)"
                + " -addext subjectAltName=DNS:\(name),IP:127.0.0.1 -keyout \(file).key -out \(file).pem 2>/dev/null")
        return FileManager.default.fileExists(atPath: path("\(file).pem"))
    }

    private func run(_ command: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = directory
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(data: data, encoding: .utf8) ?? ""
    }
}
