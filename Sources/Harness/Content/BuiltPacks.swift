import AssetPacks
import FoundationEssentials
import Glibc
import PackFormat
import ResultFiles
import Scenarios
import SystemPackage

/// Packs that were built from catalogs, each in a folder named by a digest of its sources.
///
/// Several runs, and the shards of one, build each catalog once.
struct BuiltPacks: Sendable {
    let folder: FilePath
    let toolVersion: String

    private static let sizeName = "app-size"
    private static let packsName = "packs"

    /// The packs with a key; nil if there are none.
    func packs(named key: String) throws -> (site: Site, appSize: Int64)? {
        let place = folder.appending(key)
        guard place.isFolder,
            let text = try? String(contentsOfFile: place.appending(Self.sizeName).string, encoding: .utf8),
            let appSize = Int64(text), appSize >= 0
        else { return nil }
        return (try Site.load(directory: place.appending(Self.packsName)), appSize)
    }

    /// Has `build` put packs into a folder, and keeps them; returns nil if this folder cannot be written.
    ///
    /// If another process has kept the same packs meanwhile, it returns those.
    func keep(_ key: String, build: (FilePath) throws -> Int64) throws -> (site: Site, appSize: Int64)? {
        let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        let draft = folder.appending(".\(key.prefix(16)).\(getpid())-\(digits)")
        do {
            try FileManager.default.createDirectory(
                atPath: draft.appending(Self.packsName).string, withIntermediateDirectories: true)
        } catch { return nil }
        defer { try? FileManager.default.removeItem(atPath: draft.string) }
        // The builder makes the folder itself.
        rmdir(draft.appending(Self.packsName).string)
        let appSize = try build(draft.appending(Self.packsName))
        do { try AtomicFile.write("\(appSize)".utf8, to: draft.appending(Self.sizeName)) } catch { return nil }
        let place = folder.appending(key)
        guard rename(draft.string, place.string) == 0 || place.isFolder else { return nil }
        return try packs(named: key)
    }

    /// The SHA-256 of everything that the packs of a catalog depend on: its files, the device's slice, and Headwind's
    /// version.
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

    /// A line for each file in a folder, or for a single file.
    private static func lines(of root: FilePath) throws -> String {
        guard root.isFolder else { return try line(of: root, named: "") }
        return try FileManager.default.subpathsOfDirectory(atPath: root.string).sorted()
            .map { try line(of: root.appending($0), named: $0) }.joined()
    }

    private static func line(of path: FilePath, named name: String) throws -> String {
        // Follows links, as the builder does.
        guard (try? path.stat())?.type == .regular else { return "\(name)\0\n" }
        return "\(name)\0\(try Digest.sha256Hex(of: path))\n"
    }
}
