/// Reading arguments: the wrong type is an error that names types only.
extension Value {
    func requireString() throws(EvaluationError) -> ArraySlice<UInt8> {
        guard let text = string else { throw .overload(self) }
        return text
    }

    /// A string or bytes.
    func requireContents() throws(EvaluationError) -> ArraySlice<UInt8> {
        guard let bytes = contents else { throw .overload(self) }
        return bytes
    }

    func requireInt() throws(EvaluationError) -> Int {
        guard let number = int else { throw .overload(self) }
        return Int(number)
    }

    func requireList() throws(EvaluationError) -> [Value] {
        guard let elements else { throw .overload(self) }
        return elements
    }

    func requireTimestamp() throws(EvaluationError) -> Timestamp {
        guard case .timestamp(let time) = self else { throw .overload(self) }
        return time
    }

    static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] { Base64.encode(bytes.span) }
}

import Cryptography
