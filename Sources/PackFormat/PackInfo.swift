/// What a pack says of itself: the `Info.plist` inside it.
package struct PackInfo: Hashable, Sendable {
    /// The pack's identifier, `CFBundleIdentifier` in the file.
    package var identifier: String
    /// The pack's tags, sorted.
    package var tags: [String]
    /// 0 to 1, higher first; nil for a pack that is fetched on demand only.
    package var priority: Double?

    /// A description of a pack; `tags` are sorted.
    package init(identifier: String, tags: some Sequence<String>, priority: Double? = nil) {
        self.identifier = identifier
        self.tags = tags.sorted()
        self.priority = priority
    }
}
