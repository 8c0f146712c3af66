/// Where finished lines go: a file, standard error, a test's array.
package protocol LogSink: AnyObject {
    /// Takes whole lines, each with its line feed. Must not block the loop for long and must not log.
    func write(_ bytes: [UInt8])
}
