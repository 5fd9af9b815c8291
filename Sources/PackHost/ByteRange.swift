/// The range of bytes that a Range field requests, RFC 9110 §14.1.2.
enum ByteRange: Hashable, Sendable {
    /// From a first byte to a last one, which is included; nil means to the end.
    case span(first: Int64, last: Int64?)
    /// This many bytes at the end.
    case suffix(Int64)

    /// Reads the value of a Range field; nil if the field must be ignored.
    ///
    /// It ignores what RFC 9110 §14.2 lets a server ignore: other units, invalid syntax, and more than one range. (Many
    /// overlapping ranges are an old way to exhaust a server: CVE-2011-3192.)
    init?(field value: String) {
        guard let equals = value.firstIndex(of: "="), value[..<equals].lowercased() == "bytes" else { return nil }
        let specs = value[value.index(after: equals)...].split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty }
        guard specs.count == 1, let spec = specs.first, let dash = spec.firstIndex(of: "-") else { return nil }
        let (before, after) = (spec[..<dash], spec[spec.index(after: dash)...])
        switch (Self.number(before), Self.number(after)) {
        case (let first?, let last?) where first <= last: self = .span(first: first, last: last)
        case (let first?, nil) where after.isEmpty: self = .span(first: first, last: nil)
        case (nil, let length?) where before.isEmpty: self = .suffix(length)
        default: return nil
        }
    }

    /// The first byte that is requested; minus their number for bytes at the end, as in names of connections.
    var start: Int64 {
        switch self {
        case .span(let first, _): first
        case .suffix(let length): -length
        }
    }

    /// The bytes of a representation of `size` bytes; nil if none satisfy the range, which is status 416.
    ///
    /// The bytes are empty only for a suffix of an empty representation: all of it, which no 206 can state.
    func resolved(in size: Int64) -> Range<Int64>? {
        switch self {
        case .span(let first, _) where first >= size: nil
        case .span(let first, let last): first..<(last.map { min($0, size - 1) } ?? size - 1) + 1
        case .suffix(0): nil
        case .suffix(let length): max(0, size - length)..<size
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// One or more digits; a number that does not fit counts as the greatest, because it is beyond every file anyway.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text) ?? .max
    }
}
