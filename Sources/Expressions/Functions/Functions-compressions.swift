import ContentCoding

extension FunctionTable {
    static let compressions: [Function] = [
        ("gzip", Deflater.Format.gzip, "gzip (RFC 1952), without a time in its head"),
        ("zlib", .zlib, "zlib (RFC 1950), what HTTP calls `deflate`"),
        ("deflate", .bare, "bare deflate (RFC 1951)"),
    ].flatMap { name, format, title -> [Function] in
        [
            Function(
                "\(name).encode(string|bytes) -> bytes", summary: "Compressed: \(title).",
                example: "\(name).decode(\(name).encode('aaaaaaaa')) == b'aaaaaaaa'",
                body: .unary { value throws(EvaluationError) in
                    let bytes = Array(try value.requireContents())
                    do throws(ContentCodingError) {
                        return .bytes(try Deflater.encode(bytes, format)[...])
                    } catch {
                        throw EvaluationError(.tooLarge)
                    }
                }),
            Function(
                "\(name).decode(bytes) -> bytes",
                summary:
                    "Uncompressed: \(title), checked to its end. At most 16 MiB, and beyond 64 KiB 256 bytes for each.",
                example: "\(name).decode(\(name).encode('')) == b''",
                body: .metered { values, meter throws(EvaluationError) in
                    let bytes = Array(try values[0].requireContents())
                    // As much as the steps that are left pay for (`FunctionCosts.inflating`).
                    let limit = min(Function.outputLimit, max(0, meter.steps) * 6)
                    do throws(ContentCodingError) {
                        return .bytes(try Deflater.decode(bytes, format, limit: limit)[...])
                    } catch {
                        if error == .tooLarge {
                            throw EvaluationError(limit < Function.outputLimit ? .budgetExceeded : .tooLarge)
                        }
                        throw .argument("\(name): the bytes are none, or end too early or too late")
                    }
                }),
        ]
    }
}
