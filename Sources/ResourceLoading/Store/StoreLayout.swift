import PackFormat
import SystemPackage
import Wording

/// The paths in a store's folder.
///
///     store                      marks this folder as a store; locked by the processes that use it
///     gate                       locked by the process that changes the store; counts the changes
///     low-space                  counts how often a process found no room; all processes watch it
///     users/<process>.<number>   what a process wants; locked as long as the process lives
///     leases/<name>              locked by the process that downloads the pack
///     index.json                 last use, uses and purges: hints that may be lost
///     manifest.plist, tags.plist what the host last sent
///     packs/<name>/…             a pack's files, complete whenever the folder is there
///     packs/<name>/.pack.json    which pack it is
///     partial/<name>.part        the first bytes of a pack's download
///     partial/<name>.json        how to resume it
///     temporary/                 what is being unpacked or removed; emptied when a process that is the
///                                only user opens the store
package struct StoreLayout: Sendable {
    let root: FilePath

    /// The folders of a store.
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

    /// The note files, and what interrupted writes of them have left.
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

    /// The file in a pack's folder that says which pack it is.
    package static let noteName = ".pack.json"

    /// The characters that are not encoded in a name, except a dot at the start.
    private static let plain = PercentEncoding.unreserved.union("+".utf8)

    /// The file name for a pack's identifier, which is untrusted: percent-encoded, and if that exceeds 200 bytes, cut
    /// and with a digest at its end.
    ///
    /// Different identifiers have different names.
    static func name(of pack: String) -> String {
        let text = PercentEncoding.encoded(pack, except: plain)
        let encoded = text.first == "." ? "%2E\(text.dropFirst())" : text
        if encoded.utf8.count <= 200, !encoded.isEmpty { return encoded }
        return "\(encoded.prefix(160))%\(Digest.sha256Hex(Array(pack.utf8)).prefix(32))"
    }
}
