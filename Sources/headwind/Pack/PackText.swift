import AssetPacks
import Documents
import FoundationEssentials
import PackFormat
import SystemPackage
import Wording

/// Packs of Background Assets in the commands of `headwind pack`.
enum BackgroundPacks {
    /// Whether a folder or a file is a source of Background Assets packs.
    ///
    /// A folder with a list of built packs, or with a tag file, counts as that instead.
    static func isSource(_ path: String) -> Bool {
        let place = FilePath(path)
        let tagFile = place.appending(AssetPacks.Catalog.tagFileName)
        guard !PackListing.isThere(place), !FileManager.default.fileExists(atPath: tagFile.string) else { return false }
        return BackgroundCatalog.isThere(place)
    }

    /// The packs that the manifests at a path select.
    ///
    /// Throws an error with its line, and ``CommandFailure`` if no pack is for the requested platform.
    static func source(_ path: String, _ files: CatalogOptions) throws -> BackgroundCatalog {
        var catalog = try BackgroundCatalog(FilePath(path), root: files.selectorsFrom.map { FilePath($0) })
        guard let platform = files.platform else { return catalog }
        catalog.packs.removeAll { !$0.platforms.isEmpty && !$0.platforms.contains(platform) }
        guard catalog.packs.isEmpty else { return catalog }
        throw CommandFailure.invalidInput("no pack in '\(path)' is for \(platform.rawValue)")
    }

    /// The problems of the packs, as a check reports them.
    static func problems(of source: BackgroundCatalog, limits: Limits) -> [Advice] {
        source.findings(limits)
            + source.packs.flatMap { pack in
                LetterCase.advice(pack.files.map(\.path)).map {
                    Advice(.warning, pack: pack.identifier, message: $0)
                }
            }
    }

    /// A table of the packs of a catalog, with a head.
    static func table(_ source: BackgroundCatalog) -> [String] {
        let rows = source.packs.map { pack in
            let platforms = pack.platforms.isEmpty ? "all" : pack.platforms.map(\.rawValue).joined(separator: ", ")
            return [
                pack.identifier, pack.policy.text, "\(pack.files.count)", PackText.size(pack.bytes), platforms,
                pack.language ?? "-",
            ]
        }
        return TextTable.lines([["PACK", "DOWNLOAD POLICY", "FILES", "SIZE", "PLATFORMS", "LANGUAGE"]] + rows)
    }

    /// A table of the packs of a download manifest, with a head.
    static func table(_ manifest: AssetPackManifest) -> [String] {
        let rows = manifest.resources.map { pack in
            [
                pack.bundleKey, pack.policy?.text ?? "-", "\(pack.version ?? 0)",
                pack.downloadSize.map(PackText.size) ?? "-", pack.url,
            ]
        }
        return TextTable.lines([["PACK", "DOWNLOAD POLICY", "VERSION", "DOWNLOAD", "ADDRESS"]] + rows)
    }
}

extension BackgroundPack {
    /// The pack as `--format json` prints it.
    var json: JSONTree {
        .object([
            "identifier": .text(identifier), "manifest": .text(manifest.string),
            "downloadPolicy": .text(policy.kind.rawValue),
            "installationEventTypes": .texts(
                AssetDownloadPolicy.Event.allCases.filter(policy.events.contains).map(\.rawValue)),
            "platforms": .texts(platforms.map(\.rawValue)), "language": language.map(JSONTree.text),
            "bytes": .whole(bytes),
            "files": .list(
                files.map { file in
                    .object([
                        "path": .text(file.path), "source": .text(file.source.string), "bytes": .whole(file.size),
                    ])
                }),
        ])
    }
}

/// Packs as lines of text.
enum PackText {
    /// The lines of a table of packs, with aligned columns; nil is shown as `-`.
    static func table(_ packs: [BuildReport.Pack]) -> [String] {
        let head = ["TAGS", "SIZE", "DOWNLOAD", "PRIORITY", "NAME"]
        let rows = packs.map { pack in
            [
                pack.tags.isEmpty ? "-" : pack.tags.joined(separator: "+"), size(pack.uncompressedSize),
                pack.downloadSize.map(size) ?? "-", pack.priority.map(priority) ?? "-", pack.name,
            ]
        }
        return TextTable.lines([head] + rows)
    }

    /// A priority with three decimal places: 0.95 for the 0.9500000000000001 of Xcode's sum.
    static func priority(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

    /// Bytes in decimal units with one place, such as `1.2 MB`.
    static func size(_ bytes: Int64) -> String {
        let units: [(bytes: Int64, name: String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
        guard let unit = units.first(where: { bytes >= $0.bytes }) else { return "\(bytes) B" }
        let tenths = bytes / (unit.bytes / 10)
        return "\(tenths / 10).\(tenths % 10) \(unit.name)"
    }
}
