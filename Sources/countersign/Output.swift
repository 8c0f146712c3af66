import LoopKit

/// Text for the person at the terminal.
enum Output {
    static func write(_ text: String) { OutputDescriptor.standardOutput.write(Array(text.utf8)) }
    static func write(_ bytes: [UInt8]) { OutputDescriptor.standardOutput.write(bytes) }
    static func error(_ text: String) { OutputDescriptor.standardError.write(Array(text.utf8)) }
}
