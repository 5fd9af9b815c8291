import ArgumentParser
import Foundation
import Glibc
import SystemPackage
import Testing

@testable import PackFormat
@testable import headwind

/// `headwind pack`: its command line, and the problems that a check finds.
@Suite("headwind pack", .sideBySide)
struct PackCommandTests {
    @Test(arguments: [
        ([], "<catalog>"), (["dir"], "--output"), (["dir", "-o", "out", "--limits", "nine"], "ios-2015"),
        (["dir", "-o", "out", "--tags", "t.json", "--by-folder"], "give only one"),
        (["dir", "-o", "out", "--url-prefix", "https://x.example/#"], "clients never send"),
    ])
    func wrongArgumentsAreExplained(arguments: [String], reason: String) {
        do {
            _ = try PackBuildCommand.parse(arguments)
            Issue.record("\(arguments) was accepted")
        } catch {
            #expect(PackBuildCommand.fullMessage(for: error).contains(reason))
        }
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1999, "1.9 kB"), (999_999, "999.9 kB"),
            (64_000_000, "64.0 MB"),
            (20_000_000_000, "20.0 GB"), (5_000_000_000_000, "5000.0 GB"),
        ] as [(Int64, String)])
    func writesSizes(bytes: Int64, text: String) {
        #expect(PackText.size(bytes) == text)
    }

    @Test(arguments: [(1.0, "1.0"), (0.9500000000000001, "0.95"), (0.725, "0.725"), (0.05, "0.05")])
    func writesPriorities(value: Double, text: String) {
        #expect(PackText.priority(value) == text)
    }

    @Test(arguments: [
        ("OnDemandResources/a%20b.assetpack", ["a b.assetpack", "a b.assetpack"]),
        ("https://x.example/p/a.assetpack?sig=1", ["a.assetpack", "1"]),
        ("https://x.example/?pack=a.assetpack", ["x.example", "a.assetpack"]),
        ("..", []), ("https://x.example/%2e%2e", []), ("a%2Fb", []),
    ])
    func findsNamesInAddresses(url: String, names: [String]) {
        let resource = AssetPackManifest.Resource(bundleKey: "k", url: url, isStreamable: true, uncompressedSize: 0)
        #expect(PackListing.names(of: resource) == names)
    }

    @Test(arguments: [[], ["--folders"], ["--url-prefix", "https://x.example/?pack="]])
    func builtPacksHaveNoProblems(options: [String]) async throws {
        try await withPacks(options) { folder in
            #expect(try problems(folder).isEmpty)
            try await PackCheckCommand.parse([folder.string]).run()
            let listing = try PackListing(folder)
            for resource in listing.manifest.resources {
                let content = try PackContent(of: #require(try listing.location(of: resource)))
                #expect(content.info?.identifier == resource.bundleKey)
                #expect(content.bytes == resource.uncompressedSize)
            }
        }
    }

    /// Damage to a folder of packs, and the words that the check reports for it.
    enum Damage: String, CaseIterable {
        case cut = "the manifest says"
        case changed = "SHA-256"
        case removed = "the folder has no file"
        case link = "is a link"
        case noArchive = "Could not read the archive"
        case unlisted = "is in no manifest"
        case untagged = "it has no tag in the tag table"
        case unknown = "not in the manifest"
        case size = "it unpacks to"
        case twice = "the tag table names 'a/one.dat' twice"

        /// Damages the first pack of the folder, or its lists.
        func apply(to folder: FilePath) throws {
            let manifest = folder.appending("AssetPackManifest.plist")
            let table = folder.appending("OnDemandResources.plist")
            let listing = try PackListing(folder)
            let pack = try #require(try listing.location(of: listing.manifest.resources[0]))
            var bytes = try Data(contentsOf: URL(filePath: pack.string))
            switch self {
            case .cut: try bytes.dropLast().write(to: URL(filePath: pack.string))
            case .changed, .noArchive:
                bytes[self == .changed ? 200 : bytes.count - 22] ^= 1
                try bytes.write(to: URL(filePath: pack.string))
            case .removed: try FileManager.default.removeItem(atPath: pack.string)
            case .link:
                try FileManager.default.moveItem(atPath: pack.string, toPath: folder.appending("real").string)
                try FileManager.default.createSymbolicLink(
                    atPath: pack.string, withDestinationPath: folder.appending("real").string)
            case .unlisted: try bytes.write(to: URL(filePath: folder.appending("OnDemandResources/x.assetpack").string))
            case .untagged:
                try Data(TagTable(packsByTag: [:], pathsByPack: [:]).plist()).write(to: URL(filePath: table.string))
            case .unknown: try Data(AssetPackManifest(resources: []).plist()).write(to: URL(filePath: manifest.string))
            case .twice:
                var changed = try #require(listing.tagTable)
                changed.pathsByPack = changed.pathsByPack.mapValues { $0 + $0 }
                try Data(changed.plist()).write(to: URL(filePath: table.string))
            case .size:
                var changed = listing.manifest
                changed.resources[0].uncompressedSize -= 1
                try Data(changed.plist()).write(to: URL(filePath: manifest.string))
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func damageIsReported(_ damage: Damage) async throws {
        try await withPacks { folder in
            try damage.apply(to: folder)
            let told = try problems(folder)
            #expect(told.contains { $0.contains(damage.rawValue) }, "\(told)")
            let check = try PackCheckCommand.parse([folder.string, "--format", "json"])
            guard damage != .unlisted else { return try await check.run() }
            let failure = await #expect(throws: CommandFailure.self) { try await check.run() }
            #expect(failure?.status == .invalidInput)
        }
    }

    /// A socket cannot be opened and a pipe has no size, not even for root; the check goes on to the next pack.
    @Test(
        arguments: [
            (S_IFSOCK, "No such device or address"), (S_IFIFO, "Illegal seek"),
        ] as [(mode_t, String)])
    func aPackThatCannotBeReadIsAProblem(kind: mode_t, reason: String) async throws {
        try await withPacks { folder in
            let listing = try PackListing(folder)
            let packs = try listing.manifest.resources.compactMap { try listing.location(of: $0) }
            try #require(packs.count == 2)
            for pack in packs { try FileManager.default.removeItem(atPath: pack.string) }
            let made = mknod(packs[0].string, kind | 0o600, 0)
            try #require(made == 0)
            let told = try problems(folder)
            #expect(told.contains("Could not read '\(packs[0])': \(reason)."), "\(told)")
            #expect(told.contains { $0.hasPrefix("the folder has no file") }, "\(told)")
            let failure = await commandFailure { try await PackCheckCommand.parse([folder.string]).run() }
            #expect(failure?.status == .invalidInput)
        }
    }

    @Test(arguments: [(Int64(0), true), (-1, false)])
    func exactlyTheLimitIsAllowed(below: Int64, isAllowed: Bool) async throws {
        try await withPacks { folder in
            let listing = try PackListing(folder)
            let largest = listing.manifest.resources.map(\.uncompressedSize).max() ?? 0
            let limits = Limits(name: "own", source: "a test", [.pack: largest + below])
            #expect(try PackFolderCheck(listing: listing, limits: limits).problems().isEmpty == isAllowed)
        }
    }

    @Test(arguments: [
        (["A.txt", "a.txt", "b"], ["'A.txt' and 'a.txt'"]), (["x/Ünï", "x/ünï"], ["'x/Ünï' and 'x/ünï'"]),
        (["A/b", "a/b", "a/c"], ["'A' and 'a'"]), (["Info.plist", "info.plist"], ["'Info.plist' and 'info.plist'"]),
        (["a", "b/A", "A b"], []),
    ])
    func advisesAgainstNamesThatDifferByCase(paths: [String], pairs: [String]) {
        let advice = LetterCase.advice(paths)
        #expect(advice.count == pairs.count && zip(advice, pairs).allSatisfy { $0.hasPrefix($1) }, "\(advice)")
    }

    /// Names that differ by case are advised against, and are no problem.
    @Test func aPairOfCasesIsNoProblem() async throws {
        try await withPacks(files: ["a/one.dat", "a/One.dat"]) { folder in
            let told = try problems(folder)
            #expect(told.count == 1 && told[0].contains("'a/One.dat' and 'a/one.dat'"), "\(told)")
            try await PackCheckCommand.parse([folder.string]).run()
        }
    }

    /// A table that was built after one of two files was dropped, and a pack folder that has both.
    @Test func namesThatDifferByNormalisationAreProblems() async throws {
        try await withPacks(["--folders"], files: ["a/caf\u{E9}"]) { folder in
            let listing = try PackListing(folder)
            let pack = try #require(try listing.location(of: listing.manifest.resources[0]))
            try Data().write(to: URL(filePath: pack.appending("a/cafe\u{301}").string))
            let told = try problems(folder)
            #expect(told.contains { $0.contains(#"'cafe\u{301}' and 'caf\u{E9}'"#) }, "\(told)")
            let key = listing.manifest.resources[0].bundleKey
            let table = TagTable(packsByTag: ["a": [key]], pathsByPack: [key: ["caf\u{E9}", "cafe\u{301}"]])
            try Data(table.plist()).write(to: URL(filePath: folder.appending("OnDemandResources.plist").string))
            let failure = await commandFailure { try await PackCheckCommand.parse([folder.string]).run() }
            #expect(failure?.status == .invalidInput && failure?.description.contains(#"e\u{301}"#) == true)
        }
    }

    @Test func packsByQueryAreForAnotherHost() async throws {
        try await withPacks(["--url-prefix", "https://x.example/get?pack="]) { folder in
            let error = #expect(throws: PackFormatError.self) { try Site.load(directory: folder) }
            #expect(error?.description.contains("without its query") == true)
        }
    }

    @Test func outputMayNotBeAmongTheFiles() async throws {
        try await withPacks { folder in
            let catalog = folder.removingLastComponent().appending("catalog").string
            let build = try PackBuildCommand.parse([catalog, "--by-folder", "-o", "\(catalog)/../catalog/out"])
            let failure = await #expect(throws: CommandFailure.self) { try await build.run() }
            #expect(failure?.status == .usage)
        }
    }

    private func problems(_ folder: FilePath) throws -> [String] {
        try PackFolderCheck(listing: PackListing(folder), limits: .ios2015).problems().map(\.message)
    }

    /// Builds packs for two tags in a folder that is deleted afterwards.
    private func withPacks(
        _ options: [String] = [], files: [String] = ["a/one.dat", "b/two.dat"],
        _ body: (FilePath) async throws -> Void
    ) async throws {
        let scratch = FilePath(NSTemporaryDirectory()).appending("headwind-pack-tests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: scratch.string) }
        for name in files {
            let file = scratch.appending("catalog").appending(name)
            try FileManager.default.createDirectory(
                atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
            try Data(name.utf8).write(to: URL(filePath: file.string))
        }
        let packs = scratch.appending("packs")
        let arguments = [scratch.appending("catalog").string, "--by-folder", "-o", packs.string] + options
        try await PackBuildCommand.parse(arguments).run()
        try await body(packs)
    }
}
