/// What one JSON text may use up. The counters are checked while scanning, so a hostile text costs no more than this.
package struct JSONLimits: Sendable {
    /// Nested arrays and objects. Default 512 (what Foundation and PHP allow); one more is `.tooDeep`.
    package var depth: Int
    /// Values and keys together, 16 bytes of memory each. Default 4 Mi nodes = 64 MiB; one more is `.tooManyNodes`.
    package var nodes: Int

    package init(depth: Int = 512, nodes: Int = 4_194_304) {
        self.depth = depth
        self.nodes = min(nodes, Int(Int32.max))
    }
}
