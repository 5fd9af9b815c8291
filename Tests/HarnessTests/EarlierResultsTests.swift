import Foundation
import Results
import SystemPackage
import Testing

@testable import Harness

/// A folder of results that is used again.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct EarlierResultsTests {
    private let bench: Bench
    private let folder: FilePath

    init() throws {
        bench = try Bench()
        folder = bench.folder.appending("results")
    }

    private func run(_ status: Int) async throws -> RunResult {
        var run = try bench.prepare(
            """
            workload: {command: 'curl -fsS -o {output} {url}; exit \(status)', pack: level.bin}
            link: {downlink: {rate: 20 Mbit/s, loss: 1 %}, uplink: {rate: 20 Mbit/s}}
            """)
        run.output = folder
        return try await run.perform()
    }

    private func names(_ path: String = "") -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: folder.pushing(FilePath(path)).string)) ?? []).sorted()
    }

    @Test func whatItsFailuresLeftIsNotTheNewOnes() async throws {
        let bundle = try #require(try await run(3).cells[0].bundle)
        #expect(names(bundle).contains("bundle.json"))
        try bench.write("results/bundles/mine.txt", Array("mine".utf8))
        try bench.write("results/schedules/mine.txt", Array("mine".utf8))
        let second = try await run(0)
        #expect(second.exitCode == 0, "\(second.text)")
        #expect(names("bundles") == ["mine.txt"])
        let attempts = second.cells[0].attempts.compactMap(\.schedule?.file)
        #expect(
            names("schedules") == (attempts.map { String($0.dropFirst("schedules/".count)) } + ["mine.txt"]).sorted())
    }

    /// A result is a file, and may come from anywhere.
    @Test(arguments: ["bundles/../../keep", "../keep", "/keep", "bundles/x/../../../keep", "keep", "bundles"])
    func onlyWhatIsInItsOwnFoldersIsRemoved(path: String) async throws {
        _ = try await run(3)
        let file = folder.appending("result.json")
        let bundle = try #require(names("bundles").first { !$0.contains("/") })
        try FileManager.default.copyItem(
            atPath: folder.pushing(FilePath("bundles/\(bundle)")).string, toPath: bench.folder.appending("keep").string)
        try FileManager.default.copyItem(
            atPath: folder.pushing(FilePath("bundles/\(bundle)")).string, toPath: folder.appending("keep").string)
        let text = try String(contentsOfFile: file.string, encoding: .utf8)
        let changed = text.replacing("\"bundles/\(bundle)\"", with: "\"\(path)\"")
        #expect(changed != text)
        try changed.write(toFile: file.string, atomically: true, encoding: .utf8)
        EarlierResults(folder: folder).remove()
        for kept in [bench.folder.appending("keep"), folder.appending("keep"), folder.appending("bundles/\(bundle)")] {
            #expect(FileManager.default.fileExists(atPath: kept.appending("bundle.json").string), "\(kept)")
        }
    }

    @Test func aLinkIsNotFollowed() async throws {
        _ = try await run(3)
        let bundles = folder.appending("bundles")
        try FileManager.default.moveItem(atPath: bundles.string, toPath: bench.folder.appending("away").string)
        try FileManager.default.createSymbolicLink(
            atPath: bundles.string, withDestinationPath: bench.folder.appending("away").string)
        let before = try FileManager.default.subpathsOfDirectory(atPath: bench.folder.appending("away").string)
        EarlierResults(folder: folder).remove()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: bench.folder.appending("away").string) == before)
    }
}
