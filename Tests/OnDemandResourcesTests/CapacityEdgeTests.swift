import Foundation
import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// A device of just the room that is needed, and of one byte less: what fits, and the most that was there.
@Suite(.timeLimit(.minutes(2)))
struct CapacityEdgeTests {
    /// A pack of 20,000 bytes, and how it comes.
    enum Form: CaseIterable {
        /// An archive, whose size the manifest has.
        case archive
        /// An archive, whose size only the host's answer has.
        case archiveOfUnknownSize
        /// A file as it is.
        case file
    }

    private static let bytes: Int64 = 20_000

    /// Ten sizes to either side of an edge: five of them one byte apart.
    private static let steps: [Int64] = [
        -19_000, -5000, -900, -100, -10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 10, 100, 900, 5000, 19_000,
    ]

    private func host(_ form: Form, in folder: FilePath) throws -> (RealHost, download: Int64) {
        var host = RealHost(folder: folder)
        for name in ["first", "second"] {
            try host.add(
                .init(
                    name: name, bytes: Self.bytes, files: form == .file ? 0 : 1,
                    saysSize: form != .archiveOfUnknownSize))
        }
        return (host, host.packs[0].size)
    }

    /// What a request for the first pack, and then one for the second, end in, and the most bytes that were there.
    private func run(
        _ manifest: String, _ store: FilePath, _ capacity: Int64, isHeld: Bool
    ) async throws -> (codes: [Int?], peak: Int64) {
        var configuration = LoaderConfiguration(manifest: manifest, store: store)
        configuration.capacity = capacity
        let loader = try ResourceLoader(configuration)
        let first = await loader.request(["first"], id: "first")
        if !isHeld { loader.end(first.0) }
        let second = await loader.request(["second"], id: "second")
        await loader.close()
        return ([first.1?.code, second.1?.code], loader.store.peak)
    }

    @Test(arguments: Form.allCases, [false, true])
    func fitsToTheByte(form: Form, isHeld: Bool) async throws {
        try await withTemporaryFolder { folder in
            let (host, download) = try host(form, in: folder)
            // One pack with its download, and beside it the other pack where that is held.
            let one = Self.bytes + (form == .file ? 0 : download)
            let edge = one + (isHeld ? Self.bytes : 0)
            try await host.serve { manifest in
                for step in Self.steps {
                    let capacity = edge + step
                    let (codes, peak) = try await run(
                        manifest, folder.appending("\(capacity)"), capacity, isHeld: isHeld)
                    let full: Int? = 4992
                    let first = capacity >= one ? nil : full
                    #expect(codes == [first, step >= 0 ? nil : full], "\(capacity) bytes")
                    #expect(peak <= capacity, "\(peak) of \(capacity) bytes")
                    if step == 0 { #expect(peak == edge) }
                }
            }
        }
    }

    /// A manifest that says too little brings nobody over what there is.
    @Test(arguments: [false, true]) func whatAnArchiveHasCounts(fits: Bool) async throws {
        try await withTemporaryFolder { folder in
            let zip = DeflatedZip.archive(runs: 100)
            let whole: Int64 = 1 + 258 * 100
            let pack = AssetPackManifest.Resource(
                bundleKey: "p", url: "p.assetpack", isStreamable: true, uncompressedSize: 1000)
            let server = try ScriptedServer.host(pack) { _ in Right.whole(zip) }
            defer { server.stop() }
            let url = server.url("/AssetPackManifest.plist")
            var configuration = LoaderConfiguration(manifest: url, store: folder.appending("store"))
            let capacity = whole + Int64(zip.count) - (fits ? 0 : 1)
            configuration.capacity = capacity
            let loader = try ResourceLoader(configuration)
            let code = await loader.request(["t"]).1?.code
            #expect(code == (fits ? nil : 4992))
            #expect(loader.store.peak <= capacity)
            await loader.close()
        }
    }
}
