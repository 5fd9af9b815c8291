import Glibc

/// Numeric addresses; see inet_pton(3).
enum IPAddress {
    /// The 4 or 16 bytes of an address in network order; nil where `text` is none.
    static func bytes(of text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
