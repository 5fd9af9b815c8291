/// FNV-1a, by which something is known again; nothing is secured by it.
enum FNV {
    static func digest(_ lines: [String]) -> UInt64 {
        lines.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
