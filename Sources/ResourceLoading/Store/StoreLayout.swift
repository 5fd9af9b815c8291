import PackFormat
import SystemPackage

/// Where things are in a store's folder.
///
///     store                      says that this folder is a store; locked by the processes that use it
///     gate                       locked by who changes the store; counts the changes
///     low-space                  counts how often somebody found no room; watched by all
///     users/<process>.<number>   what a process wants; locked as long as it lives
///     leases/<name>              locked by who downloads the pack
///     index.json                 last use, use and purges: advice that may be lost
///     manifest.plist, tags.plist what the host last said
///     packs/<name>/…             a pack's files, complete whenever the folder is there
///     packs/<name>/.pack.json    what pack it is
///     partial/<name>.part        the first bytes of a pack's download
///     partial/<name>.json        how to go on with it
///     temporary/                 what is being unpacked or removed; emptied when the only one that uses
///                            the store opens it
struct StoreLayout: Sendable {
    let root: FilePath

    /// The folders that a store consists of.
    var folders: [FilePath] { [packs, partials, temporary, users, leases] }
    var packs: FilePath { root.appending("packs") }
    var partials: FilePath { root.appending("partial") }
    var temporary: FilePath { root.appending("temporary") }
    var users: FilePath { root.appending("users") }
    var leases: FilePath { root.appending("leases") }
    var gate: FilePath { root.appending("gate") }
    var lowSpace: FilePath { root.appending("low-space") }
    var mark: FilePath { root.appending("store") }
    var index: FilePath { root.appending("index.json") }
    var manifest: FilePath { root.appending("manifest.plist") }
    var tagTable: FilePath { root.appending("tags.plist") }

    /// The notes beside the folders, and what a write of them that was cut short has left.
    var notes: [FilePath] { [index, manifest, tagTable].flatMap { [$0, FileSystem.unfinished($0)] } }

    /// Bytes of all partial downloads on the disk.
    var partialBytes: Int64 {
        let names = (try? FileSystem.entries(of: partials)) ?? []
        return names.filter { $0.extension == "part" }
            .map { FileSystem.status(of: partials.appending($0))?.size ?? 0 }
            .clampedSum
    }

    func lease(of pack: String) -> FilePath { leases.appending(Self.name(of: pack)) }
    func folder(of pack: String) -> FilePath { packs.appending(Self.name(of: pack)) }
    func partial(of pack: String) -> PartialFile { PartialFile(folder: partials, name: Self.name(of: pack)) }

    /// The file in a pack's folder that says what pack it is.
    static let noteName = ".pack.json"

    /// A file name for a pack's identifier, which comes from outside: percent-encoded, and cut to 200 bytes with a
    /// digest at its end where it is longer.
    ///
    /// Different identifiers have different names.
    static func name(of pack: String) -> String {
        let encoded = PercentEncoding.encode(pack)
        if encoded.utf8.count <= 200, !encoded.isEmpty { return encoded }
        return "\(encoded.prefix(160))%\(Digest.sha256Hex(Array(pack.utf8)).prefix(32))"
    }
}
