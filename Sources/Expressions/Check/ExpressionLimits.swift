/// Bounds that make every expression end.
package struct ExpressionLimits: Sendable {
    /// Longest source, in bytes. Default 64 KiB.
    package var sourceBytes = 65_536
    /// Deepest nesting of brackets, calls and unary operators. Default 128.
    package var nesting = 128
    /// Deepest tree, which chains of operators also make deep. Default 400; bounds the stack.
    package var depth = 400
    /// Most steps of one evaluation. Default 250 000, about 10 ms.
    package var steps = 250_000
    package init() {}
}
