import FoundationEssentials
import PackFormat
import Scenarios
import SystemPackage

/// The files of one attempt: a fresh device, the app's bundle, the client's output.
struct AttemptFolder: Sendable {
    let root: FilePath
    var store: FilePath { root.appending("device") }
    var output: FilePath { root.appending("output") }
    var manifest: FilePath { root.appending("app/AssetPackManifest.plist") }
    var tagTable: FilePath { root.appending("app/OnDemandResources.plist") }
    var workload: FilePath { root.appending("workload.json") }
    var authority: FilePath { root.appending("authority.pem") }
    var headers: FilePath { root.appending("headers") }

    /// Makes the folder and what is the same for every client.
    init(_ root: FilePath, content: PreparedContent?, authorityPEM: String?) throws {
        self.root = root
        for folder in [root, store, output, root.appending("app")] {
            try Self.attempt(folder) {
                try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            }
        }
        if let content {
            try write(content.manifest.plist(), to: manifest)
            try write(content.tagTable.plist(), to: tagTable)
        }
        if let authorityPEM { try write(Array(authorityPEM.utf8), to: authority) }
    }

    func write(_ bytes: [UInt8], to path: FilePath) throws {
        try Self.attempt(path) { try Data(bytes).write(to: URL(filePath: path.string)) }
    }

    /// Where a command writes what it downloads under this name, which may have folders in it; they are made.
    func outputFile(_ name: String) throws -> FilePath {
        // A name such as `..` leads nowhere else.
        let file = output.lexicallyResolving(FilePath(name)) ?? output.appending("download")
        let parent = file.removingLastComponent()
        try Self.attempt(parent) {
            try FileManager.default.createDirectory(atPath: parent.string, withIntermediateDirectories: true)
        }
        return file
    }

    /// Removes everything; a file that cannot be removed stays for the end of the run.
    func remove() {
        try? FileManager.default.removeItem(atPath: root.string)
    }

    private static func attempt(_ path: FilePath, _ body: () throws -> Void) throws {
        do { try body() } catch { throw HarnessError(writing: path, error) }
    }
}
