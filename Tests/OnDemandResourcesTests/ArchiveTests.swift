import Foundation
import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// Packs as Xcode exports them: archives that are unpacked into the store.
@Suite(.timeLimit(.minutes(1)))
struct ArchiveTests {
    /// A host with one archive of two files.
    private func run(
        _ answer: @escaping @Sendable (ScriptedServer.Request, [UInt8]) -> [ScriptedServer.Step],
        hasDigest: Bool = true,
        _ body: (LoaderConfiguration, ScriptedServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let source = folder.appending("source")
            try FileManager.default.createDirectory(
                atPath: source.appending("en.lproj").string, withIntermediateDirectories: true)
            try Data(content(70_000)).write(to: URL(fileURLWithPath: source.appending("level.bin").string))
            try Data("hello".utf8).write(to: URL(fileURLWithPath: source.appending("en.lproj/text").string))
            let info = PackInfo(identifier: "p", tags: ["t"], priority: nil)
            try Data(info.plist()).write(to: URL(fileURLWithPath: source.appending("Info.plist").string))
            let file = folder.appending("p.assetpack")
            _ = try PackArchive.write(directory: source, to: file)
            let archive = Array(try Data(contentsOf: URL(fileURLWithPath: file.string)))
            let pack = AssetPackManifest.Resource(
                bundleKey: "p", url: "p.assetpack", isStreamable: true, uncompressedSize: 70_500,
                downloadSize: hasDigest ? Int64(archive.count) : nil,
                sha256: hasDigest ? Digest.sha256Hex(archive) : nil)
            let server = try ScriptedServer.host(pack) { answer($0, archive) }
            defer { server.stop() }
            let url = server.url("/AssetPackManifest.plist")
            try await body(LoaderConfiguration(manifest: url, store: folder.appending("store")), server)
        }
    }

    private func request(_ configuration: LoaderConfiguration) async throws -> Int? {
        let loader = try ResourceLoader(configuration)
        let error = await loader.request(["t"]).1
        await loader.close()
        return error?.code
    }

    @Test func anArchiveIsUnpacked() async throws {
        try await run({ Right.answer($0, $1) }) { configuration, _ in
            #expect(try await request(configuration) == nil)
            let pack = configuration.store.appending("packs").appending("p")
            let level = FileManager.default.contents(atPath: pack.appending("level.bin").string)
            #expect(level == Data(content(70_000)))
            let text = FileManager.default.contents(atPath: pack.appending("en.lproj/text").string)
            #expect(text == Data("hello".utf8))
            let partials = try FileManager.default.contentsOfDirectory(
                atPath: configuration.store.appending("partial").string)
            #expect(partials.isEmpty)
        }
    }

    /// The host sends other content, or the archive followed by bytes that some readers take for an end record.
    @Test(arguments: [false, true], [false, true])
    func aDamagedArchiveIsFetchedOnceMore(always: Bool, isTwofold: Bool) async throws {
        // Without a digest in the manifest, only the archive itself shows the damage.
        try await run(
            { request, archive in
                let isDamaged = always || request.number == 1
                let other = isTwofold ? archive + Array("PK\u{5}".utf8) : Array("<html>no archive".utf8)
                return Right.answer(request, isDamaged ? other : archive)
            }, hasDigest: false
        ) { configuration, server in
            #expect(try await request(configuration) == (always ? -1016 : nil))
            #expect(server.requests(for: "/p.assetpack").count == 2)
            let isStored = FileManager.default.fileExists(atPath: configuration.store.appending("packs/p").string)
            #expect(isStored == !always)
            let temporary = try FileManager.default.contentsOfDirectory(
                atPath: configuration.store.appending("temporary").string)
            #expect(temporary.isEmpty)
        }
    }
}
