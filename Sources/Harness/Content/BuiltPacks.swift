import AssetPacks
import FoundationEssentials
import Glibc
import PackFormat
import ResultFiles
import Scenarios
import SystemPackage

/// Packs that were built of catalogs, each in a folder that is named by what it was built of: several runs, and the shards of
/// one, build each catalog once.
struct BuiltPacks: Sendable {
    let folder: FilePath
    let toolVersion: String

    private static let sizeName = "app-size"
    private static let packsName = "packs"

    /// What is there of a catalog; nil where nothing is.
    func packs(named key: String) throws -> (site: Site, appSize: Int64)? {
        let place = folder.appending(key)
        guard place.isFolder,
            let text = try? String(contentsOfFile: place.appending(Self.sizeName).string, encoding: .utf8),
            let appSize = Int64(text), appSize >= 0
        else { return nil }
        return (try Site.load(directory: place.appending(Self.packsName)), appSize)
    }

    /// Has `build` put packs into a folder, and keeps them; answers nil where this folder cannot be written to.
    ///
    /// Where another process has kept the same meanwhile, that is taken.
    func keep(_ key: String, build: (FilePath) throws -> Int64) throws -> (site: Site, appSize: Int64)? {
        let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        let draft = folder.appending(".\(key.prefix(16)).\(getpid())-\(digits)")
        do {
            try FileManager.default.createDirectory(
                atPath: draft.appending(Self.packsName).string, withIntermediateDirectories: true)
        } catch { return nil }
        defer { try? FileManager.default.removeItem(atPath: draft.string) }
        // The builder makes it itself.
        rmdir(draft.appending(Self.packsName).string)
        let appSize = try build(draft.appending(Self.packsName))
        do { try AtomicFile.write("\(appSize)".utf8, to: draft.appending(Self.sizeName)) } catch { return nil }
        let place = folder.appending(key)
        guard rename(draft.string, place.string) == 0 || place.isFolder else { return nil }
        return try packs(named: key)
    }

    /// The SHA-256 of all that the packs of a catalog are made of: its files, what is taken of them, and Headwind's version.
    func key(of catalog: Content.Catalog, _ slice: Slice?) throws -> String {
        var text = "packs 1\n\(toolVersion)\n\(slice?.text ?? "")\n"
        switch catalog {
        case .builtIn(let name): text += "built-in \(name)\n"
        case .builtInBackgroundAssets(let name): text += "built-in background-assets \(name)\n"
        case .folder(let root, let tags):
            text += "folder \(try Digest.sha256Hex(of: tags))\n" + (try Self.lines(of: root))
        case .byFolder(let root): text += "by-folder\n" + (try Self.lines(of: root))
        case .backgroundAssets(let root): text += "background-assets\n" + (try Self.lines(of: root))
        }
        return Digest.sha256Hex(Array(text.utf8))
    }

    /// A line for each file below a folder, or for the one file.
    private static func lines(of root: FilePath) throws -> String {
        guard root.isFolder else { return try line(of: root, named: "") }
        return try FileManager.default.subpathsOfDirectory(atPath: root.string).sorted()
            .map { try line(of: root.appending($0), named: $0) }.joined()
    }

    private static func line(of path: FilePath, named name: String) throws -> String {
        var status = stat()
        // As the builder, which follows links.
        guard stat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "\(name)\0\n" }
        return "\(name)\0\(try Digest.sha256Hex(of: path))\n"
    }
}
