func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
func utf8(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
