import Bytes
import JSONBytes

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

func root(_ text: String) throws -> JSONValue { try JSONDocument(parsing: bytes(text)).root }

/// The error of a text that must be refused; `nil` when it was accepted.
func refusal(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError? {
    do throws(JSONError) {
        _ = try JSONDocument(parsing: bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

extension JSONValue {
    func at(_ path: String) -> JSONValue? { pointer(bytes(path).span) }
    func says(_ text: String) -> Bool { equals(bytes(text).span) }
    func named(_ key: String) -> JSONValue? { member(bytes(key).span) }
}
