import Wording

/// Percent encoding (RFC 3986 §2.1) that keeps the characters that Xcode keeps in a pack's address.
package enum URLText {
    private static let plain = Set("+,-./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8)

    /// `text` with every other byte as `%` and two hex digits.
    package static func encoded(_ text: String) -> String { PercentEncoding.encoded(text, except: plain) }

    /// `text` with every escape decoded; invalid escapes stay, and so does a text that would not be UTF-8 afterwards.
    package static func decoded(_ text: String) -> String { PercentEncoding.decoded(text) ?? text }
}
