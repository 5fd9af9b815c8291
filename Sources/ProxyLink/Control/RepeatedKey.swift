internal import FoundationEssentials

/// Finds a key that stands twice in an object of JSON, which decoders pass over (RFC 8259 §4 says what comes of it).
enum RepeatedKey {
    /// The first such key of a text that a decoder has taken; nil where there is none.
    ///
    /// Keys are compared as a decoder reads them: an escape makes no other key.
    static func first(in json: [UInt8]) -> String? {
        var open: [Set<String>] = []
        var index = 0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let start = index + 1
                index = end(of: start, json)
                guard isKey(json[min(index + 1, json.count)...]), !open.isEmpty else { break }
                let key = text(of: json[(start - 1)...index])
                guard open[open.count - 1].insert(key).inserted else { return key }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// What a decoder makes of a string with its quotation marks.
    private static func text(of string: ArraySlice<UInt8>) -> String {
        (try? JSONDecoder().decode(String.self, from: Data(string))) ?? String(decoding: string, as: UTF8.self)
    }

    /// The index of the quotation mark that ends the string which begins at `start`.
    private static func end(of start: Int, _ json: [UInt8]) -> Int {
        var index = start
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, json.count)
    }

    /// Whether what follows a string is a colon.
    private static func isKey(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
    }
}
