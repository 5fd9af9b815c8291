package import SystemPackage

/// One pack as a host serves it.
package struct ServedPack: Hashable, Sendable {
    /// The pack's identifier in the manifest.
    package var identifier: String
    /// The request target: a percent-encoded URL path that begins with "/".
    package var path: String
    /// The file whose bytes are the body.
    package var file: FilePath
    /// Bytes of the file.
    package var size: Int64
    /// SHA-256 of the file, 64 lowercase hex digits.
    package var sha256: String
    /// The pack's tags, sorted.
    package var tags: [String]

    /// The name for people: all tags joined by `+`, or the identifier if there are none.
    package var displayName: String { tags.isEmpty ? identifier : tags.joined(separator: "+") }

    /// Whether `name` means this pack: its identifier, its file's name, one of its tags, or all of them in any order,
    /// joined by `+`.
    package func isCalled(_ name: String) -> Bool {
        identifier == name || file.lastComponent?.string == name || tags.contains(name) || hasExactly(name)
    }

    private func hasExactly(_ name: String) -> Bool {
        tags.joined(separator: "+") == name
            || name.split(separator: "+", omittingEmptySubsequences: false).map(String.init).sorted() == tags.sorted()
    }
}
