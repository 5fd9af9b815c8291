extension PackInfo {
    /// Reads the `Info.plist` inside a pack; `name` is what an error calls the list.
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
