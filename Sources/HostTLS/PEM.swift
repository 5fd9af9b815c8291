/// The text form of certificates, RFC 7468.
enum PEM {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// A certificate in lines of 64 characters.
    static func text(of certificate: [UInt8]) -> String {
        var rest = base64(certificate)[...]
        var lines = ["-----BEGIN CERTIFICATE-----"]
        while !rest.isEmpty {
            lines.append(String(decoding: rest.prefix(64), as: UTF8.self))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }

    /// RFC 4648 §4.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            text += (0...group.count).map { alphabet[word >> (18 - 6 * $0) & 0x3f] }
            text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return text
    }
}
