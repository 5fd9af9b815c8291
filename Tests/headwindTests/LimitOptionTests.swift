import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import headwind

/// A pack over a limit is an error as in a store, or a warning as in Xcode, when packs are built and checked.
struct LimitOptionTests {
    private func withCatalog(_ body: (FilePath, FilePath) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "limits-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let level = folder.appending(path: "game/level")
        try FileManager.default.createDirectory(at: level, withIntermediateDirectories: true)
        try Data(repeating: 7, count: 10_000).write(to: level.appending(path: "map"))
        let root = FilePath(folder.path(percentEncoded: false))
        try await body(root.appending("game"), root.appending("packs"))
    }

    @Test(arguments: [
        (["--limit", "pack=9999"], true), (["--limit", "pack=9999", "--as", "xcode"], false),
        (["--limit", "pack=20000"], false), (["--limit", "initial-install=1"], false),
    ])
    func aPackOverTheLimitIsRefused(options: [String], isRefused: Bool) async throws {
        try await withCatalog { catalog, packs in
            let build = ["\(catalog)", "--by-folder", "-o", "\(packs)"] + options
            let check = ["\(packs)"] + options
            if isRefused {
                let built = await #expect(throws: CommandFailure.self) {
                    try await PackBuildCommand.parse(build).run()
                }
                #expect(built?.status == .invalidInput)
                let checked = await #expect(throws: CommandFailure.self) {
                    try await PackCheckCommand.parse(check).run()
                }
                #expect(checked?.status == .invalidInput)
            } else {
                try await PackBuildCommand.parse(build).run()
                try await PackCheckCommand.parse(check).run()
            }
            #expect(FileManager.default.fileExists(atPath: packs.appending("AssetPackManifest.plist").string))
        }
    }

    /// Packs of Background Assets have limits of their own, unless others are named.
    @Test(
        arguments: [
            ([], Limits.backgroundAssets[.hosted], 200),
            (["--limit", "pack-count=7"], Limits.backgroundAssets[.hosted], 7),
            (["--limits", "ios-2015"], Limits.ios2015[.hosted], nil),
        ] as [([String], Int64?, Int64?)])
    func aChangedLimitKeepsTheOthersOfItsSystem(options: [String], hosted: Int64?, packCount: Int64?) throws {
        let limits = try LimitOptions.parse(options).chosen(for: .backgroundAssets)
        #expect(limits[.hosted] == hosted && limits[.packCount] == packCount)
    }

    @Test(arguments: [["--limit", "pack"], ["--as", "apple"], ["--limits", "ios-1"]])
    func invalidOptionsAreRefused(options: [String]) {
        #expect(throws: (any Error).self) { try PackCheckCommand.parse(["packs"] + options) }
    }
}
