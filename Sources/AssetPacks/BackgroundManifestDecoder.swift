import Documents
import PackFormat
import SystemPackage
import Wording

/// The content of a `Manifest.json` of a pack of Background Assets, before its files are searched.
struct BackgroundManifestDecoder {
    static let identifierKey = "assetPackID"
    private static let keys = [
        identifierKey, "downloadPolicy", "fileSelectors", "platforms", "sourceRoot", "language", "userInfo",
    ]

    private let document: CatalogDocument
    private(set) var identifier = ""
    private(set) var policy = AssetDownloadPolicy(.onDemand)
    /// The selectors, and their places in the file.
    private(set) var selectors: [(selector: FileSelector, mark: Mark)] = []
    private(set) var platforms: [BackgroundPack.Platform] = []
    private(set) var language: String?
    /// The folder below the manifest's folder at which selectors begin; nil means the manifest's folder.
    private(set) var sourceRoot: String?

    init(_ path: FilePath) throws(CatalogError) {
        let document = CatalogDocument(file: path, what: "the manifest of a pack", hasComments: true)
        self.document = document
        try document.read { try read($0) }
    }

    /// Whether a file is meant as such a manifest: it has one of the required keys.
    ///
    /// A file that cannot be read counts as one if its name is `Manifest.json`.
    static func isManifest(_ path: FilePath) -> Bool {
        var isOne = path.lastComponent?.string == BackgroundPack.manifestName
        try? CatalogDocument(file: path, what: "the manifest of a pack", hasComments: true).read { root in
            let members = (try? root.members()) ?? []
            isOne = members.contains { [identifierKey, "downloadPolicy", "fileSelectors"].contains($0.key) }
        }
        return isOne
    }

    /// An error at a place in the file.
    func wrong(_ mark: Mark, _ reason: String) -> CatalogError { document.wrong(mark, reason) }

    private mutating func read(_ root: JSONNode) throws {
        try CatalogDocument.check(root.members("the manifest of a pack"), have: Self.keys)
        identifier = try AssetPackManifest.Resource.identifier(root.required(Self.identifierKey))
        policy = try AssetDownloadPolicy(root.required("downloadPolicy"))
        let list = try root.required("fileSelectors")
        for element in try list.elements("a list of file selectors") {
            selectors.append((try FileSelector(element), element.mark))
        }
        guard !selectors.isEmpty else {
            throw JSONProblem(list.mark, "there is no file selector, so the pack is empty")
        }
        for element in try root.member("platforms")?.elements("a list of platforms") ?? [] {
            platforms.append(try Self.platform(element))
        }
        sourceRoot = try root.member("sourceRoot").map { try FileSelector.path($0) }
        language = try root.member("language").map { try Self.language($0) }
        _ = try root.member("userInfo")?.members("an object with values for the app")
    }

    private static func platform(_ node: JSONNode) throws -> BackgroundPack.Platform {
        let text = try node.text()
        if let platform = BackgroundPack.Platform(rawValue: text) { return platform }
        let names = BackgroundPack.Platform.allCases.map(\.rawValue)
        let hint = NearestName.of(text, in: names).map { "; did you mean \"\($0)\"?" }
        let known = ": there are \(names.joined(separator: ", "))"
        throw JSONProblem(node.mark, "there is no platform \(text.jsonQuoted)" + (hint ?? known))
    }

    /// A tag in the form of BCP 47: parts of letters and digits; the first part has only letters.
    private static func language(_ node: JSONNode) throws -> String {
        let text = try node.text()
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard isTag, let first = parts.first, first.utf8.count > 1, first.allSatisfy(\.isLetter) else {
            throw JSONProblem(node.mark, "\(node.kind) is not a language tag such as \"en\" or \"pt-BR\" (BCP 47)")
        }
        return text
    }
}
