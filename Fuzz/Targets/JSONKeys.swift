import Foundation

/// Finds repeated keys in a JSON text, independently of the readers under test.
///
/// Keys are compared as a decoder reads them, so that `"a"` and `"\u0061"` are the same.
struct JSONKeys {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The first key that occurs twice in one object; nil if there is none.
    mutating func repeated() -> String? {
        var open: [Set<String>] = []
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let text = string()
                let next = bytes[min(index + 1, bytes.count)...].first { !" \t\r\n".utf8.contains($0) }
                guard next == UInt8(ascii: ":"), !open.isEmpty else { break }
                guard open[open.count - 1].insert(text).inserted else { return text }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The text that begins here; leaves `index` at its end.
    private mutating func string() -> String {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let token = Data(bytes[start...min(index, bytes.count - 1)])
        return (try? JSONDecoder().decode(String.self, from: token)) ?? String(decoding: token, as: UTF8.self)
    }
}
