import Evidence
import FoundationEssentials
import PackFormat
import Scenarios
import SystemPackage
import Testbed

/// The files of one attempt: a new device, the app's bundle, and the client's output.
struct AttemptFolder: Sendable {
    let root: FilePath
    /// A file system of limited size for the device and the output; nil if they are in `root`.
    let storage: SandboxDirectory?
    /// The device, as a path for the client.
    var store: FilePath { (storage?.inside ?? root).appending("device") }
    /// The working folder of a command, as a path for the client.
    var output: FilePath { (storage?.inside ?? root).appending("output") }
    /// A folder for a command's temporary files, which no other attempt uses.
    var temporary: FilePath { (storage?.inside ?? root).appending("tmp") }
    /// A folder for what a command keeps between calls, which no other attempt uses.
    var cache: FilePath { (storage?.inside ?? root).appending("cache") }
    /// The folder `output`, as a path for this process.
    private var outputOutside: FilePath { (storage?.outside ?? root).appending("output") }
    var manifest: FilePath { app(version: 1).manifest }
    var tagTable: FilePath { app(version: 1).tagTable }
    /// The bundle of a version of the app; version 1 is installed first.
    func app(version: Int) -> (manifest: FilePath, tagTable: FilePath) {
        let folder = root.appending(version == 1 ? "app" : "app-\(version)")
        return (folder.appending("AssetPackManifest.plist"), folder.appending("OnDemandResources.plist"))
    }
    var workload: FilePath { root.appending("workload.json") }
    var authority: FilePath { root.appending("authority.pem") }
    var headers: FilePath { root.appending("headers") }
    /// The file to which a client writes the secrets of its TLS connections, if they are kept.
    var keyLog: FilePath { root.appending("keys") }

    /// The folders that a client writes to, as paths for this process.
    private var own: [FilePath] { Self.ownNames.map((storage?.outside ?? root).appending) }
    private static let ownNames = ["device", "output", "tmp", "cache"]

    /// Makes the folder, and with `content` the bundle of an app; a command has none.
    init(_ root: FilePath, on storage: SandboxDirectory?, app content: PreparedContent?, authorityPEM: String?) throws {
        self.root = root
        self.storage = storage
        for folder in [root] + own { try Self.make(folder) }
        if let content {
            for (index, version) in ([content] + content.updates).enumerated() {
                let app = app(version: index + 1)
                try Self.make(app.manifest.removingLastComponent())
                try write(version.manifest.plist(), to: app.manifest)
                try write(version.appTagTable.plist(), to: app.tagTable)
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

    /// The path at which a command writes a download with this name; makes the folders in the name.
    func outputFile(_ name: String) throws -> FilePath {
        try Self.make(outputOutside.pushing(outputName(name)).removingLastComponent())
        return output.pushing(outputName(name))
    }

    /// The name as a relative path; a name such as `..` cannot lead out of the folder.
    private func outputName(_ name: String) -> FilePath {
        guard output.lexicallyResolving(FilePath(name)) != nil else { return FilePath("download") }
        let path = FilePath(name).lexicallyNormalized()
        return path.isRelative ? path : FilePath(root: nil, path.components)
    }

    /// The path of an output, relative to the folder that contains all of the client's.
    func outputPath(_ name: String) -> FilePath { FilePath("output").pushing(outputName(name)) }

    /// The client's file with this name; the client may have made anything there.
    func result(_ name: String) throws(ContainedFile.Fault) -> ContainedFile {
        try file(outputPath(name), below: "output")
    }

    /// The file at a path relative to the folder that contains the client's folders; links out of it are refused.
    func file(_ path: FilePath, below folder: FilePath = "") throws(ContainedFile.Fault) -> ContainedFile {
        guard let storage else { return try ContainedFile(root.pushing(path), below: root.pushing(folder)) }
        let opened: FileDescriptor
        do throws(Errno) { opened = try storage.open(path) } catch {
            throw ContainedFile.Fault(description: ContainedFile.reason(error))
        }
        return try ContainedFile(opened)
    }

    /// Writes a file at a path relative to the folder that contains the client's, with a hole before its bytes.
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

    /// Sets the mode 0600 on a path relative to the folder that contains the client's.
    func makePrivate(_ path: FilePath) throws {
        let whole = (storage?.outside ?? root).pushing(path)
        try Self.attempt(whole) {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: whole.string)
        }
    }

    /// Makes a symbolic link at a path relative to the folder that contains the client's, to a name in the same folder.
    func putLink(to name: String, at path: FilePath) throws {
        let whole = (storage?.outside ?? root).pushing(path)
        try Self.attempt(whole) {
            try FileManager.default.createSymbolicLink(atPath: whole.string, withDestinationPath: name)
        }
    }

    /// All files in the client's folders, relative to the folder that contains these; throws if they cannot be read.
    func clientFiles() throws(PackFormatError) -> [FilePath] {
        var files: [FilePath] = []
        for name in Self.ownNames {
            let folder = (storage?.outside ?? root).appending(name)
            files += try FileTree.entries(of: folder).filter { $0.kind == .regular }.map {
                FilePath(name).pushing(FilePath($0.path))
            }
        }
        return files
    }

    /// The stored bytes of the largest file in the client's folders; nil if unknown.
    func savedBytes() -> Int64? {
        let files = try? own.flatMap { folder throws(PackFormatError) in try FileTree.entries(of: folder) }
        return files.map { $0.map(\.stored).max() ?? 0 }
    }

    /// The client's file at a path of the device; the client may have made anything there.
    func deviceFile(_ path: FilePath) throws(ContainedFile.Fault) -> ContainedFile {
        try file(FilePath("device").pushing(path))
    }

    /// The names in a folder of the device; nil if it does not exist; throws if it cannot be read.
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

    /// The limit on names in a folder; real sites have far fewer packs.
    private static let mostNames = 20_000

    /// Removes everything; a file that cannot be removed is removed at the end of the run.
    func remove() {
        try? FileManager.default.removeItem(atPath: root.string)
    }

    private static func attempt(_ path: FilePath, _ body: () throws -> Void) throws {
        do { try body() } catch { throw HarnessError(writing: path, error) }
    }
}
