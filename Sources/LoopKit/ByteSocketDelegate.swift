/// Hears about readiness, on the loop. May close the socket from inside a call.
package protocol ByteSocketDelegate: AnyObject {
    /// There is something to read (bytes, end or error). Comes again as long as it is not read.
    func socketReadable()
    /// There is room to write again, after `watchWrites(true)`.
    func socketWritable()
}
