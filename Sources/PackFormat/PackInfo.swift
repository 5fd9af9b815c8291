/// The `Info.plist` inside a pack, in which the pack describes itself.
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

    /// Reads the `Info.plist` inside a pack; `name` is what an error calls the list; throws `notReadable`.
    package init(plist: [UInt8], name: String = "a pack's Info.plist") throws(PackFormatError) {
        let list = try PropertyListField(plist, what: name)
        self.init(
            identifier: try list.required("CFBundleIdentifier").text(), tags: try list.required("Tags").names(),
            priority: try list.optional("Priority")?.share())
    }

    /// The description as a binary property list; the same description gives the same bytes.
    package func plist() throws(PackFormatError) -> [UInt8] {
        var entries: [String: PropertyList] = [
            "CFBundleIdentifier": .string(identifier), "Tags": .array(tags.map { .string($0) }),
        ]
        entries["Priority"] = priority.map { .real($0) }
        return PropertyList.dictionary(entries).binary
    }
}
