import Foundation
import PackHost
import SystemPackage

@testable import PackFormat

/// Archives of any size, and the real pack host that serves them.
struct RealHost {
    /// A pack to make an archive of.
    struct Pack {
        var name: String
        /// The total size of its files in bytes, its Info.plist included.
        var bytes: Int64
        /// The number of files that share the bytes; 0 for a pack that is one sparse file and no archive.
        var files = 1
        /// Whether the manifest states the size of the download.
        var saysSize = true
    }

    let folder: FilePath
    private(set) var resources: [AssetPackManifest.Resource] = []
    private(set) var packs: [ServedPack] = []

    /// A host whose archives lie in this folder.
    init(folder: FilePath) { self.folder = folder }

    /// Makes a pack's archive; its tag is its name.
    mutating func add(_ pack: Pack) throws {
        guard pack.files > 0 else { return try addFile(pack) }
        let info = try PackInfo(identifier: pack.name, tags: [pack.name], priority: nil).plist()
        let source = folder.appending("\(pack.name).source")
        try FileManager.default.createDirectory(atPath: source.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: source.string) }
        let rest = pack.bytes - Int64(info.count)
        var items = [PackArchive.Item(path: "Info.plist", content: .bytes(info), modified: 0)]
        for number in 0..<pack.files {
            let size = rest / Int64(pack.files) + (number == 0 ? rest % Int64(pack.files) : 0)
            let file = source.appending("\(number).bin")
            try Self.write(size, to: file)
            items.append(PackArchive.Item(path: "files/\(number).bin", content: .file(file, size: size), modified: 0))
        }
        let archive = folder.appending("\(pack.name).assetpack")
        try enter(pack, archive, size: try PackArchive.write(items, to: archive))
    }

    private mutating func addFile(_ pack: Pack) throws {
        let file = folder.appending("\(pack.name).bin")
        try Self.write(pack.bytes, to: file)
        try enter(pack, file, size: pack.bytes)
    }

    private mutating func enter(_ pack: Pack, _ file: FilePath, size: Int64) throws {
        let digest = try Digest.sha256Hex(of: file)
        let name = file.lastComponent?.string ?? ""
        resources.append(
            AssetPackManifest.Resource(
                bundleKey: pack.name, url: name, isStreamable: true, uncompressedSize: pack.bytes,
                downloadSize: pack.saysSize ? size : nil,
                sha256: digest))
        packs.append(
            ServedPack(
                identifier: pack.name, path: "/\(name)", file: file, size: size, sha256: digest, tags: [pack.name]))
    }

    /// Writes a sparse file with 64 KiB of noise in every 64 MiB: quick to make, but with real bytes to read.
    private static func write(_ size: Int64, to file: FilePath) throws {
        let descriptor = try FileDescriptor.open(
            file, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        try descriptor.closeAfter {
            try descriptor.resize(to: size)
            for start in stride(from: Int64(0), to: size, by: 64 << 20) {
                let noise = content(Int(min(64 << 10, size - start)), seed: UInt64(start))
                try descriptor.writeAll(toAbsoluteOffset: start, noise)
            }
        }
    }

    /// Serves the packs while the body runs, and passes it the manifest's URL.
    func serve<Value: Sendable>(
        faults: [HostFault] = [], security: HostConfiguration.Security? = nil,
        _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let table = TagTable(
            packsByTag: Dictionary(uniqueKeysWithValues: packs.map { ($0.identifier, [$0.identifier]) }),
            pathsByPack: [:])
        let site = Site(
            manifest: try AssetPackManifest(resources: resources).plist(), tagTable: try table.plist(), packs: packs)
        var configuration = HostConfiguration(site: site)
        configuration.faults = faults
        configuration.security = security
        return try await withPackHost(configuration) { host in
            try await body("\(host.url)/AssetPackManifest.plist")
        }
    }
}
