import Wording

/// The names that Xcode gives to packs, so that Xcode's packs and Headwind's are interchangeable.
///
/// Source: `SWBCore/OnDemandResources.swift` of swiftlang/swift-build.
package enum PackNaming {
    /// The longest name of a pack's file or folder, in bytes of UTF-8.
    package static let maximumDirectoryNameLength = 240

    /// The MD5 of the tags, sorted and joined by ":", as 32 lowercase hex digits.
    package static func hash(tags: Set<String>) -> String {
        Digest.md5Hex(Array(tags.sorted().joined(separator: ":").utf8))
    }

    /// The pack's identifier, such as `com.example.game.asset-pack-acbd18db4cc2f85cedef654fccc4a4d8`.
    package static func identifier(bundleID: String, tags: Set<String>) -> String {
        "\(bundleID).asset-pack-\(hash(tags: tags))"
    }

    /// The name of a pack's file or folder, such as `com.example.game.foo-acbd18db4cc2f85cedef654fccc4a4d8.assetpack`.
    ///
    /// A name longer than ``maximumDirectoryNameLength`` loses characters from the tags' end, never from the hash.
    package static func directoryName(bundleID: String, tags: Set<String>) -> String {
        var prefix = "\(bundleID).\(tags.sorted().joined(separator: "+"))"
        let suffix = "-\(hash(tags: tags)).assetpack"
        while !prefix.isEmpty, prefix.utf8.count + suffix.utf8.count > maximumDirectoryNameLength {
            prefix.removeLast()
        }
        return prefix + suffix
    }
}

/// Percent encoding (RFC 3986 §2.1) that keeps the characters that Xcode keeps in a pack's address.
package enum URLText {
    private static let plain = Set("+,-./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8)

    /// `text` with every other byte as `%` and two hex digits.
    package static func encoded(_ text: String) -> String { PercentEncoding.encoded(text, except: plain) }

    /// `text` with every escape decoded; invalid escapes stay, and so does a text that would not be UTF-8 afterwards.
    package static func decoded(_ text: String) -> String { PercentEncoding.decoded(text) ?? text }
}
