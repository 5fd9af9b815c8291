import Foundation
import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// An archive that unpacks to far more than its manifest says, on a device that has no room for it.
@Suite(.timeLimit(.minutes(1)))
struct SwellingArchiveTests {
    /// A zip file of 200,000 zero bytes, in Base64.
    private static let archive = """
        UEsDBBQAAAAIAAAAIVB7WOBc0wAAAEANAwAJAAAAbGV2ZWwuYmlu7cExAQAAAMKg9U9tBn+gAAAAAAAAAAAAAAAAAAAAAAAAAAAA \
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIDXAFBLAQIUAxQAAAAIAAAAIVB7WOBc0wAAAEANAwAJAAAAAAAAAAAAAACkAQAAAABsZXZl \
        bC5iaW5QSwUGAAAAAAEAAQA3AAAA+gAAAAAA
        """

    @Test func doesNotFillTheDevice() async throws {
        let bytes = try #require(Data(base64Encoded: Self.archive, options: .ignoreUnknownCharacters))
        let pack = AssetPackManifest.Resource(
            bundleKey: "p", url: "p.assetpack", isStreamable: true, uncompressedSize: 1000)
        let server = try ScriptedServer.host(pack) { _ in Right.whole(Array(bytes)) }
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            let url = server.url("/AssetPackManifest.plist")
            var configuration = LoaderConfiguration(manifest: url, store: folder.appending("store"))
            configuration.capacity = 100_000
            let loader = try ResourceLoader(configuration)
            let error = await loader.request(["t"]).1
            // Out of space, or wrong content.
            #expect([4992, -1016].contains(error?.code), "\(error?.description ?? "no error")")
            #expect(loader.store.storedPack("p") == nil)
            #expect(loader.store.stored < 100_000)
            let temporary = folder.appending("store").appending("temporary").string
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
            await loader.close()
        }
    }
}
