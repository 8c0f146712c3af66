/// Bounds that make every expression end.
package struct ExpressionLimits: Sendable {
    /// Longest source, in bytes. Default 64 KiB.
    package var sourceBytes = 65_536
    /// Deepest nesting of brackets, calls and unary operators. Default 128.
    package var nesting = 128
    /// Deepest tree, which chains of operators also make deep. Default 400; bounds the stack.
    package var depth = 400
    /// Most steps of one evaluation. Default 1 000 000, about 50 ms. Whatever works on a value is charged by its size
    /// (`Cost`), before it works.
    package var steps = 1_000_000
    package init() {}
}
