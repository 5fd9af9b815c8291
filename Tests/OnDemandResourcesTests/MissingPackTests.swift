import Foundation
import PackHost
import ResourceLoading
import SystemPackage
import Testing

@testable import PackFormat

/// A real host whose folder lacks a pack of its manifest.
@Suite(.timeLimit(.minutes(1)))
struct MissingPackTests {
    @Test func aMissingPackFailsWithMinus1008() async throws {
        try await withTemporaryFolder { folder in
            var host = RealHost(folder: folder)
            try host.add(.init(name: "here", bytes: 5000))
            try host.add(.init(name: "gone", bytes: 5000))
            let table = TagTable(packsByTag: ["here": ["here"], "gone": ["gone"]], pathsByPack: [:])
            for (name, bytes) in [
                (Site.manifestName, try AssetPackManifest(resources: host.resources).plist()),
                (Site.tagTableName, try table.plist()),
            ] {
                try Data(bytes).write(to: URL(filePath: folder.appending(name).string))
            }
            try FileManager.default.removeItem(atPath: folder.appending("gone.assetpack").string)
            #expect(throws: PackFormatError.self) { try Site.load(directory: folder) }
            let site = try Site.load(directory: folder, mayLack: true)
            let missing = site.missing.map { [$0.identifier, $0.path, $0.name] }
            #expect(missing == [["gone", "/gone.assetpack", "gone.assetpack"]])
            let codes = try await withPackHost(HostConfiguration(site: site)) { host in
                let manifest = "\(host.url)/\(Site.manifestName)"
                let loader = try ResourceLoader(
                    LoaderConfiguration(manifest: manifest, store: folder.appending("store")))
                var codes: [Int?] = []
                for tag in ["here", "gone", "here"] { codes.append(await loader.request([tag], id: tag).1?.code) }
                await loader.close()
                return codes
            }
            #expect(codes == [nil, -1008, nil])
        }
    }

    /// A pack above the limit is loaded, and the advice names it; exactly the limit is allowed.
    @Test(arguments: [(Int64(5000), 0), (4999, 1)])
    func theAdviceNamesAPackAboveTheLimit(limit: Int64, count: Int) async throws {
        let pack = TestPack(name: "p", body: content(5000), tags: ["t"])
        try await Fixture.run([pack]) {
            $0.limits = Limits(name: "tiny", source: "test", [.pack: limit])
        } script: { _, _ in
            nil
        } _: { fixture in
            try await fixture.withLoader { loader in
                #expect(loader.advice(on: ["t"]).isEmpty, "nothing is known yet")
                #expect(await loader.request(["t"]).1 == nil)
                let advice = loader.advice(on: ["t"])
                #expect(advice.count == count)
                #expect(advice.allSatisfy { $0.contains("'p'") && $0.contains("5000 bytes; the limit is 4999") })
            }
        }
    }
}
