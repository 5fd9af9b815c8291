import Foundation
import Scenarios
import SystemPackage
import Testing

@testable import headwind

/// `headwind profile import` writes files that `headwind profile check` accepts, and never over existing files.
@Suite struct ProfileImportCommandTests {
    private let folder: URL
    private static let list = """
        <plist><dict><key>Profiles</key><dict>
        <key>My 3G</key><dict><key>DownlinkBandwidth</key><integer>780</integer></dict>
        <key>Other</key><dict><key>UplinkDelay</key><integer>7</integer></dict>
        </dict></dict></plist>
        """

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.list.utf8).write(to: folder.appending(path: "nlc.plist"))
        try Data("1\n2\n".utf8).write(to: folder.appending(path: "a.trace"))
    }

    /// Runs the command, with `@` standing for the folder, and returns its failure, or nil if it succeeds.
    private func run(_ arguments: String...) async throws -> CommandFailure? {
        let paths = arguments.map { $0.hasPrefix("@") ? "\(folder.path)/\($0.dropFirst())" : $0 }
        do {
            try await ProfileImportCommand.parse(paths).run()
            return nil
        } catch {
            guard let failure = CommandFailure(telling: error) else { throw error }
            return failure
        }
    }

    private func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path).sorted()
    }

    private func check(_ name: String) throws {
        let file = FilePath(folder.appending(path: name).path)
        let profile = try ProfileCommand.library().profile(file: file)
        #expect("\(profile.name).yaml" == file.lastComponent?.string)
    }

    @Test func oneOrAllProfilesAreImported() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect((try await run("@nlc.plist", "--output", "@x.yaml"))?.status == .usage)
        #expect((try await run("@nlc.plist", "--profile", "my 3g", "--output", "@x.yaml"))?.status == .invalidInput)
        #expect(try names() == ["a.trace", "nlc.plist"])
        #expect(try await run("@nlc.plist", "--profile", "My 3G", "--output", "@my-3g.yaml") == nil)
        try check("my-3g.yaml")
        #expect((try await run("@nlc.plist", "--profile", "Other", "--output", "@my-3g.yaml"))?.status == .usage)
        #expect(try await run("@nlc.plist", "--output", "@all/") == nil)
        #expect(try names("all") == ["my-3g.yaml", "other.yaml"])
        for name in ["all/my-3g.yaml", "all/other.yaml"] { try check(name) }
        #expect((try await run("@nlc.plist", "--output", "@all/"))?.status == .usage, "nothing is overwritten")
    }

    @Test func tracesOfAnotherFolderAreCopied() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try await run("@a.trace", "@a.trace", "--name", "drive", "--output", "@drive.yaml") == nil)
        #expect(try names() == ["a.trace", "drive.yaml", "nlc.plist"])
        try check("drive.yaml")
        #expect(try await run("@a.trace", "--name", "drive", "--output", "@sub/drive.yaml") == nil)
        #expect(try names("sub") == ["drive.down", "drive.yaml"])
        try check("sub/drive.yaml")
        #expect((try await run("@a.trace", "--name", "Not One", "--output", "@y.yaml"))?.status == .usage)
        #expect((try await run("@nlc.plist", "@a.trace"))?.status == .invalidInput)
        #expect((try await run("@none"))?.status == .invalidInput)
    }
}
