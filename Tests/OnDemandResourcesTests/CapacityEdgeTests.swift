import Foundation
import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// Devices with exactly the capacity that is needed, and with more or less: what fits, and the peak use.
@Suite(.timeLimit(.minutes(2)))
struct CapacityEdgeTests {
    /// How a pack of 20,000 bytes is delivered.
    enum Form: CaseIterable {
        /// An archive whose size the manifest states.
        case archive
        /// An archive whose size only the host's response states.
        case archiveOfUnknownSize
        /// A plain file.
        case file
    }

    private static let bytes: Int64 = 20_000

    /// Offsets from the edge, in bytes: ten below it, the edge itself, and nine above it.
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

    /// Requests the first pack and then the second; returns their error codes and the peak use in bytes.
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
            // One pack with its download, plus the other pack if that is held.
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

    /// A manifest that understates its sizes lets no pack exceed the capacity.
    @Test(arguments: [false, true]) func limitsAnArchiveLargerThanDeclared(fits: Bool) async throws {
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
