import Evidence
import FoundationEssentials
import PackFormat
import Scenarios
import SystemPackage
import Testbed

/// The files of one attempt: a fresh device, the app's bundle, the client's output.
struct AttemptFolder: Sendable {
    let root: FilePath
    /// The file system of a size of its own that the device and the output are on; nil where they are in `root`.
    let storage: SandboxDirectory?
    /// The device, as the client finds it.
    var store: FilePath { (storage?.inside ?? root).appending("device") }
    /// Where a command works, as it finds it.
    var output: FilePath { (storage?.inside ?? root).appending("output") }
    /// For a command's own temporary files, which no other attempt has.
    var temporary: FilePath { (storage?.inside ?? root).appending("tmp") }
    /// For what a command keeps from one call to the next: nothing of another attempt is to be there.
    var cache: FilePath { (storage?.inside ?? root).appending("cache") }
    /// The same folder as this process finds it.
    private var outputOutside: FilePath { (storage?.outside ?? root).appending("output") }
    var manifest: FilePath { root.appending("app/AssetPackManifest.plist") }
    var tagTable: FilePath { root.appending("app/OnDemandResources.plist") }
    /// The bundle of a later version of the app.
    func app(version: Int) -> (manifest: FilePath, tagTable: FilePath) {
        let folder = root.appending("app-\(version)")
        return (folder.appending("AssetPackManifest.plist"), folder.appending("OnDemandResources.plist"))
    }
    var workload: FilePath { root.appending("workload.json") }
    var authority: FilePath { root.appending("authority.pem") }
    var headers: FilePath { root.appending("headers") }
    /// Where a client writes the secrets of its TLS connections, where they are kept.
    var keyLog: FilePath { root.appending("keys") }

    /// The folders that a client writes to, as this process finds them.
    private var own: [FilePath] { Self.ownNames.map((storage?.outside ?? root).appending) }
    private static let ownNames = ["device", "output", "tmp", "cache"]

    /// Makes the folder, and the bundle of an app with this content; a command has none.
    init(_ root: FilePath, on storage: SandboxDirectory?, app content: PreparedContent?, authorityPEM: String?) throws {
        self.root = root
        self.storage = storage
        for folder in [root] + own { try Self.make(folder) }
        if let content {
            try Self.make(manifest.removingLastComponent())
            try write(content.manifest.plist(), to: manifest)
            try write(content.appTagTable.plist(), to: tagTable)
            for (index, update) in content.updates.enumerated() {
                let app = app(version: index + 2)
                try Self.make(app.manifest.removingLastComponent())
                try write(update.manifest.plist(), to: app.manifest)
                try write(update.appTagTable.plist(), to: app.tagTable)
            }
        }
        if let authorityPEM { try write(Array(authorityPEM.utf8), to: authority) }
    }

    private static func make(_ folder: FilePath) throws {
        try attempt(folder) {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        }
    }

    func write(_ bytes: [UInt8], to path: FilePath) throws {
        try Self.attempt(path) { try Data(bytes).write(to: URL(filePath: path.string)) }
    }

    /// Where a command writes what it downloads under this name, which may have folders in it; they are made.
    func outputFile(_ name: String) throws -> FilePath {
        try Self.make(outputOutside.pushing(outputName(name)).removingLastComponent())
        return output.pushing(outputName(name))
    }

    /// The path below the output's folder: a name such as `..` leads nowhere else.
    private func outputName(_ name: String) -> FilePath {
        guard output.lexicallyResolving(FilePath(name)) != nil else { return FilePath("download") }
        let path = FilePath(name).lexicallyNormalized()
        return path.isRelative ? path : FilePath(root: nil, path.components)
    }

    /// The path of an output from the folder that all of the client's are in.
    func outputPath(_ name: String) -> FilePath { FilePath("output").pushing(outputName(name)) }

    /// What the client has left under a name; it made it, and may have made anything.
    func result(_ name: String) throws(ContainedFile.Fault) -> ContainedFile {
        try file(outputPath(name), below: "output")
    }

    /// What lies at a path from the folder that all of the client's are in, and not outside of one of them.
    func file(_ path: FilePath, below folder: FilePath = "") throws(ContainedFile.Fault) -> ContainedFile {
        guard let storage else { return try ContainedFile(root.pushing(path), below: root.pushing(folder)) }
        let opened: FileDescriptor
        do throws(Errno) { opened = try storage.open(path) } catch {
            throw ContainedFile.Fault(description: ContainedFile.reason(error))
        }
        return try ContainedFile(opened)
    }

    /// Puts a file at a path from the folder that all of the client's are in, with a hole in front of its bytes.
    func put(_ bytes: [UInt8], at path: FilePath, from place: Int64 = 0) throws {
        let whole = (storage?.outside ?? root).pushing(path)
        guard place > 0 else { return try write(bytes, to: whole) }
        try Self.attempt(whole) {
            let file = try FileDescriptor.open(
                whole, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: place, bytes) }
        }
    }

    /// Lets the owner alone read and write what lies at a path from the folder that all of the client's are in.
    func makePrivate(_ path: FilePath) throws {
        let whole = (storage?.outside ?? root).pushing(path)
        try Self.attempt(whole) {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: whole.string)
        }
    }

    /// Puts a link at a path from the folder that all of the client's are in, to a name beside it.
    func putLink(to name: String, at path: FilePath) throws {
        let whole = (storage?.outside ?? root).pushing(path)
        try Self.attempt(whole) {
            try FileManager.default.createSymbolicLink(atPath: whole.string, withDestinationPath: name)
        }
    }

    /// All files in the client's folders, by their paths from the folder that these are in; throws where they cannot be read.
    func clientFiles() throws(PackFormatError) -> [FilePath] {
        var files: [FilePath] = []
        for name in Self.ownNames {
            let folder = (storage?.outside ?? root).appending(name)
            files += try FileTree.entries(of: folder).filter { $0.kind == .file }.map {
                FilePath(name).pushing(FilePath($0.path))
            }
        }
        return files
    }

    /// Stored bytes of the file in the client's folders that has the most; nil where unknown.
    func savedBytes() -> Int64? {
        let files = try? own.flatMap { folder throws(PackFormatError) in try FileTree.entries(of: folder) }
        return files.map { $0.map(\.stored).max() ?? 0 }
    }

    /// What the client has left at a path of the device; it made it, and may have made anything.
    func deviceFile(_ path: FilePath) throws(ContainedFile.Fault) -> ContainedFile {
        try file(FilePath("device").pushing(path))
    }

    /// The names in a folder of the device, nil where there is none; throws where it cannot be read.
    func deviceNames(_ path: FilePath) throws -> [String]? {
        let names: (FilePath) throws -> [String] = { try FileTree.names(in: $0, most: Self.mostNames) }
        guard let storage else {
            let whole = root.appending("device").pushing(path)
            guard FileManager.default.fileExists(atPath: whole.string) else { return nil }
            return try names(ContainedFile.resolve(whole, below: root))
        }
        let folder: FileDescriptor
        do throws(Errno) { folder = try storage.open(FilePath("device").pushing(path)) } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
        return try folder.closeAfter { try names(FilePath("/proc/self/fd/\(folder.rawValue)")) }
    }

    /// Far more than packs there are.
    private static let mostNames = 20_000

    /// Removes everything; a file that cannot be removed stays for the end of the run.
    func remove() {
        try? FileManager.default.removeItem(atPath: root.string)
    }

    private static func attempt(_ path: FilePath, _ body: () throws -> Void) throws {
        do { try body() } catch { throw HarnessError(writing: path, error) }
    }
}
