extension PackInfo {
    private static let what = "a pack's Info.plist"

    /// Reads the `Info.plist` inside a pack.
    package init(plist: [UInt8]) throws(PackFormatError) {
        let form = try PropertyList.decode(InfoForm.self, from: plist, what: Self.what)
        self.init(identifier: form.identifier, tags: form.tags, priority: form.priority)
    }

    /// The description as a binary property list.
    package func plist() throws(PackFormatError) -> [UInt8] {
        try PropertyList.encode(
            InfoForm(identifier: identifier, tags: tags, priority: priority), what: Self.what)
    }
}

private struct InfoForm: Codable {
    var identifier: String
    var tags: [String]
    var priority: Double?

    enum CodingKeys: String, CodingKey {
        case identifier = "CFBundleIdentifier"
        case tags = "Tags"
        case priority = "Priority"
    }
}
