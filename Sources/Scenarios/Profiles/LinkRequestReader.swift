import Documents
package import LinkModel

/// Reads a client's request to change a running link: JSON in the notation of profiles, with the same reader.
///
/// The client may be untrusted. A request only opens files of bundled profiles, and errors do not show what they
/// contain.
package struct LinkRequestReader: Sendable {
    private let library: ProfileLibrary
    /// The profile that the link was started with; a request can use its name too.
    private let started: Profile

    package init(library: ProfileLibrary, started: Profile) {
        self.library = library
        self.started = started
    }

    /// Reads a request: `{"profile": "3g"}`, `{"profile": {…}}`, `{"offline": null}` or `{"conditions": {…}}`.
    ///
    /// Throws all problems, in a file named "body".
    package func read(_ body: [UInt8]) throws(InvalidFiles) -> LinkRequest {
        let problems = Problems(file: "body")
        let request = try self.request(problems).value(of: Self.node(of: body), problems)
        let own = problems.found.filter { $0.file == problems.file }
        guard own.isEmpty else { throw InvalidFiles(own) }
        guard problems.found.isEmpty, let request else {
            throw InvalidFiles(
                "the request names a bundled profile that has problems",
                hint: "run 'headwind profile check' on its file")
        }
        return request
    }

    private func request(_ problems: Problems) -> FieldDecoder<LinkRequest> {
        .mapping("a change of the link") { fields in
            let version = fields.checkVersion(LinkRequest.version, of: "the control API")
            return fields.oneOf([
                ("profile", profile.map(LinkRequest.profile)),
                ("conditions", Self.conditions(version).map(LinkRequest.conditions)),
                ("offline", Self.offline.map(LinkRequest.offline)),
            ])
        }
    }

    private var profile: FieldDecoder<Profile> {
        FieldDecoder("a profile's name, or a whole profile") { node, problems in
            guard case .text(let name, _) = node.content else {
                return ProfileLoader(library: library).draft(sentAs: node, problems)?.profile
            }
            if name == started.name { return started }
            guard !ProfileLibrary.isPath(name) else {
                return problems.refuse(
                    "'profile' must be a profile's name or a whole profile as an object, never a file",
                    at: node.mark)
            }
            return ProfileLoader(library: library).draft(name, from: library.folder, at: node, problems)?.profile
        }
    }

    private static func conditions(_ version: Int) -> FieldDecoder<LinkConditions> {
        .mapping("the conditions of a link") { fields in
            var link = LinkDecoder.read(fields, over: LinkConditions())
            // The key's name in version 1.
            if version == 1, let delay = fields.value("dnsDelay", .delay) {
                if fields.given("dns-delay") != nil {
                    fields.refuse("dnsDelay", "'dnsDelay' cannot be combined with 'dns-delay'")
                }
                link.dnsDelay = delay
            }
            return link
        }
    }

    private static var offline: FieldDecoder<OfflineKind?> {
        let kind = FieldDecoder<OfflineKind>.choice("an offline state")
        return FieldDecoder(kind.expected) { node, problems in
            if case .text("null", inset: 0) = node.content { return .some(nil) }
            return kind.read(node, problems).map(Optional.some)
        }
    }

    /// The body as a node for the reader of profiles.
    private static func node(of body: [UInt8]) throws(InvalidFiles) -> YAMLNode {
        guard let text = String(validating: body, as: UTF8.self) else { throw InvalidFiles(notJSON, file: "body") }
        do { return try YAMLNode(request: JSONReader.read(text)) } catch {
            let reason = JSONReader.fault(in: text) == nil ? error.reason : notJSON
            throw InvalidFiles(reason, file: "body", at: error.mark)
        }
    }

    private static let notJSON = #"the body is not JSON, such as {"profile": "3g"}"#
}

extension YAMLNode {
    /// The root of a request; in version 1, conditions with the value null are left out.
    fileprivate init(request node: JSONNode) {
        self.init(node)
        guard case .mapping(var entries) = content, self["version"]?.content == .text("1", inset: 0),
            let index = entries.firstIndex(where: { $0.key == "conditions" })
        else { return }
        entries[index].value = entries[index].value.withoutNulls
        content = .mapping(entries)
    }

    private init(_ node: JSONNode) {
        let content: Content =
            switch node.content {
            case .object(let members):
                .mapping(members.map { Entry(key: $0.key, keyMark: $0.mark, value: YAMLNode($0.value)) })
            case .array(let elements): .list(elements.map { YAMLNode($0) })
            case .string(let text): .text(text, inset: nil)
            case .literal(let text): .text(text, inset: 0)
            }
        self.init(mark: node.mark, content: content)
    }

    private var withoutNulls: YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let kept = entries.filter { $0.value.content != .text("null", inset: 0) }
        return YAMLNode(mark: mark, content: .mapping(kept.map { $0.having($0.value.withoutNulls) }))
    }
}
