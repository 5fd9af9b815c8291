import ArgumentParser
import AssetPacks
import Foundation
import SystemPackage
import Testing

@testable import PackFormat
@testable import headwind

/// `headwind pack check`: its advice on packs, and on the files to build packs from.
@Suite("headwind pack check")
struct PackAdviceTests {
    private static let elf = Data([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0])
    private static let tagFile = """
        {"bundle": "com.example.game", "initialInstall": ["menu"], "preservation": {"menu": 1, "level": 1},
         "tags": {"menu": ["menu/*"], "level": ["level/*"]}}
        """

    /// Writes files, and runs `body` with their folder and a path for packs.
    ///
    /// Deletes both afterwards.
    private func withFiles(
        _ files: [String: Data], _ body: (_ catalog: FilePath, _ packs: FilePath) async throws -> Void
    ) async throws {
        let scratch = FilePath(NSTemporaryDirectory()).appending("headwind-advice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: scratch.string) }
        for (name, data) in files.merging(
            ["tags.json": Data(Self.tagFile.utf8)], uniquingKeysWith: { first, _ in first })
        {
            let file = scratch.appending("game").appending(name)
            try FileManager.default.createDirectory(
                atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
            try data.write(to: URL(filePath: file.string))
        }
        try await body(scratch.appending("game"), scratch.appending("packs"))
    }

    private func status(_ arguments: [String]) async throws -> headwind.ExitStatus? {
        do { try await PackCheckCommand.parse(arguments).run() } catch let failure as CommandFailure {
            return failure.status
        }
        return nil
    }

    /// A script passes and compiled code is refused, both in the files and in packs that contain it.
    @Test(arguments: [(elf, headwind.ExitStatus.invalidInput), (Data("#!/bin/sh\n".utf8), nil)])
    func codeIsRefused(content: Data, expected: headwind.ExitStatus?) async throws {
        try await withFiles(["menu/a": Data("1".utf8), "level/tool": content]) { catalog, packs in
            #expect(try await status([catalog.string]) == expected)
            let build = try PackBuildCommand.parse([catalog.string, "-o", packs.string])
            if expected == nil {
                try await build.run()
            } else {
                let failure = await #expect(throws: CommandFailure.self) { try await build.run() }
                #expect(failure?.description == "the packs are built, but contain 1 file that no store accepts")
            }
            // A store's limits are only warnings as in Xcode; compiled code is refused even there.
            #expect(try await status([packs.string, "--as", "xcode"]) == expected)
            let problems = try PackFolderCheck(listing: PackListing(packs), limits: .ios2015).problems()
            #expect(problems.map(\.rule) == (expected == nil ? [] : [.executable]))
        }
    }

    @Test func theInitialInstallIsComparedWithTheCellularCeiling() async throws {
        try await withFiles(["menu/a": Data("1".utf8), "level/b": Data("2".utf8)]) { catalog, packs in
            try await PackBuildCommand.parse([catalog.string, "-o", packs.string]).run()
            let listing = try PackListing(packs)
            let menu = try #require(listing.manifest.resources.first { $0.downloadPriority == 1 }).uncompressedSize
            let ceiling = menu + 1000
            let limits = Limits(name: "own", source: "a test", [.cellularInstall: ceiling])
            for (app, isTold) in [(Int64(1000), false), (1001, true)] {
                let told = try PackFolderCheck(listing: listing, limits: limits, appSize: app).problems()
                #expect(told.map(\.value) == (isTold ? [ceiling + 1] : []))
                #expect(told.allSatisfy { $0.severity == .warning && $0.limit == ceiling && $0.source == "a test" })
            }
        }
    }

    @Test func everyProblemHasNumbersInJSON() throws {
        let problem = Advice(.warning, .limit, pack: "p", message: "m", value: 2, limit: 1, source: "s")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(problem), as: UTF8.self)
                == #"{"limit":1,"message":"m","pack":"p","rule":"limit","severity":"warning","source":"s","value":2}"#)
    }

    @Test func theAppsRequestsAndPrioritiesAreAdvisedOn() async throws {
        try await withFiles(["menu/a": Data("1".utf8), "level/b": Data("2".utf8)]) { catalog, packs in
            let workload = catalog.appending("../workload.json").string
            try Data(#"{"steps": [{"request": {"id": "r", "tags": ["menu"]}}, {"end": "r"}]}"#.utf8)
                .write(to: URL(filePath: workload))
            let scenario = catalog.appending("../one.yaml").string
            try Data(
                """
                scenario: One
                catalog: shapes
                link: {profile: lte}
                workload: [{request: {id: r, tags: [level]}}]
                expect: available
                """.utf8
            ).write(to: URL(filePath: scenario))
            func advice(_ options: [String]) throws -> [String] {
                let command = try PackCheckCommand.parse([catalog.string] + options)
                return try command.app.advice(on: ["menu", "level"], preset: ["menu": 1, "level": 1]).map(\.message)
            }
            #expect(try advice([]).count == 1)
            #expect(try advice([])[0].hasPrefix("all 2 preservation priorities are 1.0"))
            #expect(try advice(["--preservation", "level=0.5"]).isEmpty)
            let half = ["--preservation", "level=0.5"]
            #expect(
                try advice(half + ["--workload", workload])
                    == ["nothing requests the tag 'level': no request of 1 workload names it"])
            #expect(
                try advice(half + ["--workload", scenario])
                    == ["nothing requests the tag 'menu': no request of 1 workload names it"])
            #expect(try advice(half + ["--workload", scenario, "--workload", workload]).isEmpty)
            // All of these are advice, not problems.
            #expect(try await status([catalog.string, "--workload", workload]) == nil)
        }
    }

    @Test(arguments: [
        ["--preservation", "level"], ["--preservation", "=1"], ["--preservation", "level=2"],
        ["--preservation", "level=x"], ["--app-size", "12"], ["--by-folder", "--tags", "x"],
    ])
    func invalidOptionsAreRefused(options: [String]) {
        #expect(throws: (any Error).self) { try PackCheckCommand.parse(["packs"] + options) }
    }

    @Test(arguments: ["{}", "[", #"{"steps": [{"request": {"tags": "a"}}]}"#])
    func aFileThatIsNoWorkloadIsReported(text: String) async throws {
        try await withFiles([:]) { catalog, _ in
            let file = catalog.appending("w.json")
            try Data(text.utf8).write(to: URL(filePath: file.string))
            let failure = #expect(throws: CommandFailure.self) { try RequestedTags.read(file) }
            #expect(failure?.status == .invalidInput)
        }
    }
}
