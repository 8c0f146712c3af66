import Bytes

/// The block that records point into, as one object: a record is copied often, and a `PairBlock` is two references.
package final class PairList: Sendable {
    let block: PairBlock

    init(_ block: PairBlock) { self.block = block }
}
