import Foundation
import Glibc
import PackFormat
import SystemPackage
import Testing

@testable import ResourceLoading

/// A client that is killed at random moments, again and again, during downloads and unpacks.
///
/// Each seed is a list of moments; a failure names its seed and its round.
@Suite(.sideBySide, .timeLimit(.minutes(5)))
struct KilledClientTests {
    /// Random delays that depend on the seed alone (SplitMix64).
    private struct Moments {
        var state: UInt64

        /// From 20 to 219 ms: a client starts, downloads, unpacks and ends within about that.
        mutating func next() -> Duration {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return .milliseconds(20 + Int((mixed ^ (mixed >> 31)) % 200))
        }
    }

    private static let level = content(3_000_000)
    private static let rounds = 26

    /// The archive as the host serves it, and its manifest.
    private func pack(in folder: FilePath) throws -> (archive: [UInt8], manifest: [UInt8]) {
        let source = folder.appending("source")
        try FileManager.default.createDirectory(atPath: source.string, withIntermediateDirectories: true)
        try Data(Self.level).write(to: URL(fileURLWithPath: source.appending("level.bin").string))
        for number in 0..<20 {
            try Data(content(1000)).write(to: URL(fileURLWithPath: source.appending("part-\(number)").string))
        }
        let info = PackInfo(identifier: "p", tags: ["t"], priority: nil)
        try Data(info.plist()).write(to: URL(fileURLWithPath: source.appending("Info.plist").string))
        let file = folder.appending("p.assetpack")
        _ = try PackArchive.write(directory: source, to: file)
        let archive = Array(try Data(contentsOf: URL(fileURLWithPath: file.string)))
        let resource = AssetPackManifest.Resource(
            bundleKey: "p", url: "p.assetpack", isStreamable: true, uncompressedSize: 3_020_000,
            downloadSize: Int64(archive.count), sha256: Digest.sha256Hex(archive))
        return (archive, try AssetPackManifest(resources: [resource]).plist())
    }

    /// A host that takes about 50 ms to send the archive.
    private func host(_ archive: [UInt8], _ manifest: [UInt8]) throws -> ScriptedServer {
        let table = try TagTable(packsByTag: ["t": ["p"]], pathsByPack: [:]).plist()
        return try ScriptedServer { request in
            switch request.target {
            case "/AssetPackManifest.plist": return Right.whole(manifest)
            case "/OnDemandResources.plist": return Right.whole(table)
            default:
                return Right.answer(request, archive).flatMap { step -> [ScriptedServer.Step] in
                    guard case .send(let bytes) = step else { return [step] }
                    let pieces = stride(from: 0, to: bytes.count, by: 128 * 1024).map {
                        Array(bytes[$0..<min($0 + 128 * 1024, bytes.count)])
                    }
                    return pieces.flatMap { [.send($0), .sleep(microseconds: 2000)] }
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func aKillLosesNoBytesAndLeavesNoPartialPack(seed: UInt64) async throws {
        try await withTemporaryFolder { folder in
            let (archive, manifest) = try pack(in: folder)
            let server = try host(archive, manifest)
            defer { server.stop() }
            let configuration = LoaderConfiguration(
                manifest: server.url("/AssetPackManifest.plist"), store: folder.appending("store"))
            let layout = StoreLayout(root: configuration.store)
            var moments = Moments(state: seed)
            var kept: Int64 = 0
            var seen = 0
            for round in 1...Self.rounds {
                let client = try ClientProcess(configuration, ["t"])
                try await Task.sleep(for: moments.next())
                client.signal(SIGKILL)
                _ = await client.finish()
                let asked = server.requests(for: "/p.assetpack").dropFirst(seen).first
                seen = server.requests(for: "/p.assetpack").count
                if let asked {
                    #expect(Int64(asked.from ?? 0) == kept, "seed \(seed), round \(round): what had arrived was lost")
                }
                kept = layout.partial(of: "p").size
                guard FileSystem.status(of: layout.folder(of: "p")) != nil else { continue }
                try expectWhole(layout.folder(of: "p"), "seed \(seed), round \(round)")
                // The pack is stored: purge it, so that the next round downloads it anew.
                let store = try PackStore(configuration.store)
                _ = try store.purgeAll()
                store.close()
                kept = 0
            }
            let last = try await ClientProcess(configuration, ["t"]).finish()
            #expect(last.status == 0, "seed \(seed): \(last.errors)")
            try expectWhole(layout.folder(of: "p"), "seed \(seed), at the end")
            #expect(try FileSystem.entries(of: layout.temporary).isEmpty, "seed \(seed)")
            #expect(try FileSystem.entries(of: layout.users).isEmpty, "seed \(seed)")
        }
    }

    private func expectWhole(_ folder: FilePath, _ place: String) throws {
        let level = FileManager.default.contents(atPath: folder.appending("level.bin").string)
        #expect(level == Data(Self.level), "\(place): a wrong byte")
        #expect(try FileSystem.entries(of: folder).count == 23, "\(place): a file too few or too many")
    }
}
