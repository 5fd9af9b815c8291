package import LinkModel
package import SystemPackage

/// A file with rules for an interface, or the output of `headwind link show --format json`; see docs/reference/link.md.
package struct LinkRulesFile: Sendable {
    package struct Rule: Sendable {
        /// An address, a network, a port or a MAC address, as it is written in the file.
        package let match: String
        package let profile: Profile
    }

    /// The profile of traffic without a rule; nil: it is not shaped.
    package var profile: Profile?
    package var rules: [Rule] = []
    package var exceptions: [String] = []
    /// Whether the interface leads to other devices.
    package var hasDevices = false

    /// Reads a file's rules for an interface; throws all problems.
    package static func read(
        _ file: FilePath, interface: String, library: ProfileLibrary
    ) throws(InvalidFiles) -> LinkRulesFile {
        let problems = Problems(file: file.string)
        let reader = LinkRulesReader(
            loader: ProfileLoader(library: library), folder: file.removingLastComponent(), problems: problems)
        let found = YAMLReader.read(file: file, problems).flatMap { reader.read($0, interface) }
        try problems.check()
        guard let found else { preconditionFailure("\(file) has no problem and gives no rules") }
        return found
    }
}

private struct LinkRulesReader {
    let loader: ProfileLoader
    let folder: FilePath
    let problems: Problems

    /// Reads the rules of one interface, or finds them in a list by the interface's name.
    func read(_ root: YAMLNode, _ interface: String) -> LinkRulesFile? {
        guard root["links"] != nil else { return FieldDecoder.mapping("rules", body).value(of: root, problems) }
        var names: [String] = []
        var found: LinkRulesFile?
        let link = FieldDecoder<Void>.mapping("a link") { fields in
            let name = fields.required("interface", .text)
            let rules = body(fields)
            names.append(name ?? "")
            if name == interface { found = rules }
            return ()
        }
        let list = FieldDecoder<Void>.mapping("a list of links") { fields in
            _ = fields.node("version")
            _ = fields.required("links", .list("a list of links", of: link))
            return ()
        }
        guard list.value(of: root, problems) != nil else { return nil }
        if found == nil {
            let others = names.prefix(8).map { "'\($0.abbreviated)'" }.joined(separator: ", ")
            problems.add("the file has no rules for '\(interface)', only for \(others)", at: root.mark)
        }
        return found
    }

    private func body(_ fields: Fields) -> LinkRulesFile {
        var file = LinkRulesFile()
        file.profile = profile(fields)
        file.rules = fields.value("rules", .list("a list of rules", of: rule)) ?? []
        file.exceptions = fields.value("exceptions", .list("a list of exceptions", of: .text)) ?? []
        file.hasDevices = fields.value("devices", .flag) ?? false
        // Other keys of `link show` have no use here.
        for key in ["interface", "version", "since", "until", "watchdog_pid", "watchdog", "replaced", "differences"] {
            _ = fields.given(key)
        }
        if file.profile == nil, file.rules.isEmpty, !fields.keys.contains("profile"), !fields.keys.contains("rules") {
            problems.add(
                "the file has no rules", at: fields.mark, hint: "write 'rules:', and '- match: 192.168.1.20' below")
        }
        return file
    }

    private var rule: FieldDecoder<LinkRulesFile.Rule> {
        .mapping("a rule") { fields in
            let match = fields.required("match", .text)
            let profile = profile(fields, isRequired: true)
            guard let match, let profile else { return nil }
            return LinkRulesFile.Rule(match: match, profile: profile)
        }
    }

    /// The profile of a name, or of a path relative to the file; for an unknown name, the conditions that the file has.
    private func profile(_ fields: Fields, isRequired: Bool = false) -> Profile? {
        let name = isRequired ? fields.required("profile", .text) : fields.value("profile", .text)
        let conditions = fields.value(
            "conditions", .mapping("conditions") { LinkDecoder.read($0, over: LinkConditions()) })
        for key in ["download", "upload"] { _ = fields.given(key) }
        guard let name, let node = fields.given("profile") else { return nil }
        if let conditions, !ProfileLibrary.isPath(name), !loader.names.contains(name) {
            return Profile(name: name, title: name, source: "the settings of an interface", conditions: conditions)
        }
        return loader.draft(name, from: folder, at: node, problems)?.profile
    }
}
