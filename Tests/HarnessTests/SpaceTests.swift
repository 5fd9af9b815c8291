import AssetPacks
import PackFormat
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness
@testable import Links

/// A device's storage is the same over every backend, to the byte.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(5)))
struct SpaceTests {
    private static let steps: [Int64] = [
        -50_000, -9000, -4096, -1000, -100, -4, -3, -2, -1, 0, 1, 2, 3, 4, 100, 1000, 4096, 9000, 30_000, 50_000,
    ]

    @Test(arguments: [
        (LinkBackend.packet, "storage"), (.kernel, "storage"), (.proxy, "storage"), (.proxy, "capacity"),
    ])
    func oneVerdictForEachSize(backend: LinkBackend, key: String) async throws {
        let bench = try Bench()
        let catalog = try BuiltInCatalog.shapes.write(to: bench.folder.appending("catalog"))
        _ = try AssetPackBuilder(limits: .ios2015).build(catalog, to: bench.folder.appending("built"))
        let folder = PacksFolder(bench.folder.appending("built"))
        let wanted = try #require(try folder.tagTable()?.table.packs(for: ["blue"]))
        let edge = try folder.manifest().manifest.resources.filter { wanted.contains($0.bundleKey) }
            .map { $0.uncompressedSize + ($0.downloadSize ?? 0) }.reduce(0, +)
        let sizes = Self.steps.map { "\(edge + $0) B" }.joined(separator: ", ")
        var run = try bench.prepare(
            """
            packs: ./built/
            link: {downlink: {rate: 50 Mbit/s}, uplink: {rate: 50 Mbit/s}}
            workload: [{request: {tags: [blue]}}]
            matrix:
              device.\(key): [\(sizes)]
            """)
        run.backend = backend
        let result = try await run.perform()
        #expect(result.cells.count == Self.steps.count)
        for (cell, step) in zip(result.cells, Self.steps) {
            let attempt = try #require(cell.attempts.first, "\(cell.findings)")
            #expect(attempt.requests.map(\.code) == [step < 0 ? 4992 : nil], "\(step) bytes: \(attempt.requests)")
            #expect(cell.storage == StorageFacts(kind: .account, bytes: edge + step))
            let peak = attempt.samples[.diskPeak].value ?? 0
            #expect(peak <= Double(edge + step), "\(step) bytes: \(peak)")
        }
    }
}
