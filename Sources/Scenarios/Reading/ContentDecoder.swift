import Documents
import SystemPackage
import Wording

/// Reads `catalog`, `packs`, `host` and `network`; a scenario has exactly one of them.
struct ContentDecoder {
    let context: ScenarioContext

    static let keys = ["catalog", "packs", "host", "network"]

    /// The content; nil if it is wrong, which is noted as a problem.
    func read(_ fields: Fields) -> Content? {
        fields.oneOf([
            ("catalog", catalog.map(Content.catalog)),
            ("packs", context.path("a folder of packs", isFolder: true).map(Content.packs)),
            ("host", RemoteHostDecoder(context: context).decoder.map(Content.host)),
            ("network", NetworkDecoder.decoder.map { .network(forwards: $0) }),
        ])
    }

    /// The name of a catalog, or a folder of resources.
    var catalog: FieldDecoder<Content.Catalog> {
        .either(
            named(
                Content.Catalog.builtIn,
                or: context.path("a catalog's folder", isFolder: true).then { tagged($0, at: $1.mark, $2) }),
            .mapping("a catalog") { fields in
                let folder = fields.value("folder", context.path("a catalog's folder", isFolder: true))
                let managed = fields.value(Self.managedKey, backgroundAssets)
                if fields.exactlyOne(of: ["folder", Self.managedKey]) == Self.managedKey { return managed }
                guard let tags = fields.node("tags", schema: FieldDecoder<String>.text.schema()) else {
                    return folder.flatMap { tagged($0, at: fields.mark, fields.problems) }
                }
                if case .text("by-folder", _) = tags.content { return folder.map(Content.Catalog.byFolder) }
                let file = context.path("by-folder, or a tag file", isFolder: false).value(of: tags, fields.problems)
                guard let folder, let file else { return nil }
                return .folder(folder, tags: file)
            }
        )
    }

    static let managedKey = "background-assets"

    /// Background Assets: the name of a catalog, or a folder of manifests.
    private var backgroundAssets: FieldDecoder<Content.Catalog> {
        named(
            Content.Catalog.builtInBackgroundAssets,
            or: context.path("a folder of manifests", isFolder: true).map(Content.Catalog.backgroundAssets))
    }

    /// The name of a built-in catalog, or a folder.
    private func named(
        _ builtIn: @escaping (String) -> Content.Catalog, or folder: FieldDecoder<Content.Catalog>
    ) -> FieldDecoder<Content.Catalog> {
        FieldDecoder<String>.text.then("the name of a catalog, or a folder with a '/'") { text, node, problems in
            if Content.Catalog.builtInNames.contains(text) { return builtIn(text) }
            guard text.contains("/") || text == "." else {
                let hint = NearestName.hint(for: text, in: Content.Catalog.builtInNames)
                return problems.refuse(
                    "there is no catalog '\(text.abbreviated)'", at: node.mark,
                    hint: hint ?? "write a folder as './\(text.abbreviated)'")
            }
            return folder.value(of: node, problems)
        }
    }

    private func tagged(_ folder: FilePath, at mark: Mark, _ problems: Problems) -> Content.Catalog? {
        let tags = folder.appending(Content.Catalog.tagFileName)
        guard FolderListing.exists(tags) else {
            return problems.refuse(
                "the catalog '\(folder)' has no \(Content.Catalog.tagFileName)", at: mark,
                hint: "write '{folder: …, tags: by-folder}' if folders are the tags")
        }
        return .folder(folder, tags: tags)
    }
}

/// Reads `network: machine` and `network: {forward: [8080]}`.
///
/// `forward` lists ports of this machine that a program can reach on its own loopback.
enum NetworkDecoder {
    /// The word for this machine's networks without forwarded ports.
    private static let machine = "machine"

    static var decoder: FieldDecoder<[UInt16]> {
        let port = FieldDecoder<UInt16>.integer("a port", in: 1...65_535)
        return .either(
            FieldDecoder<String>.word("machine, or {forward: [8080]}", in: [machine]).map { _ in [] },
            .mapping("a network") { fields in
                fields.required("forward", .list("a list of ports, such as [8080]", of: port))
            }
        )
    }

    /// The value of `network` that forwards these ports.
    static func node(forwarding ports: [UInt16]) -> YAMLNode {
        ports.isEmpty ? .made(machine) : .made([("forward", .made(.list(ports.map { .made("\($0)") })))])
    }
}
