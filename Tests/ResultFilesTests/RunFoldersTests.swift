import Foundation
import Glibc
import SystemPackage
import Testing

@testable import ResultFiles

@Suite("Folders of runs")
struct RunFoldersTests {
    private func inFolder(_ body: (FilePath) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "headwind-runs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(FilePath(folder.path(percentEncoded: false)))
    }

    /// Makes a finished run of a day of November 2026, with `bytes` bytes.
    private func run(_ day: Int, in root: FilePath, bytes: Int = 0) throws -> FilePath {
        let moment = Date(timeIntervalSince1970: 1_793_491_200 + Double(day) * 86_400)
        let path = try RunFolders(root: root).begin(at: moment, command: []).path
        try Data(count: bytes).write(to: URL(filePath: path.appending("result.json").string))
        return path
    }

    private func names(_ root: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.string).sorted()
    }

    @Test("each run has its own folder, and 'latest' is a link to the last one")
    func latest() throws {
        try inFolder { root in
            let first = try run(1, in: root.appending("deep/results"))
            let second = try run(2, in: root.appending("deep/results"))
            #expect(first != second && RunFolders.isRunName(second.lastComponent?.string ?? ""))
            #expect(second.lastComponent?.string.hasPrefix("2026-11-03T00-00-00Z-") == true)
            let link = root.appending("deep/results/latest").string
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == second.lastComponent?.string)
            #expect(try names(root.appending("deep/results")).count == 3)
        }
    }

    @Test("a 'latest' that is not a link stays unchanged, which is reported")
    func foreignLatest() throws {
        try inFolder { root in
            mkdir(root.appending("latest").string, 0o755)
            let place = try RunFolders(root: root).begin(command: [])
            #expect(place.whyNotLatest?.contains("is not a link") == true)
            #expect(FileManager.default.fileExists(atPath: place.path.string))
        }
    }

    @Test("the oldest runs are removed, by number and by size; the run that has just ended stays")
    func pruning() throws {
        try inFolder { root in
            let runs = try (1...5).map { try run($0, in: root, bytes: 1000) }
            let byCount = RunFolders(root: root).prune(keeping: 3, bytes: nil, sparing: runs[4])
            #expect(byCount.names == runs.prefix(2).compactMap { $0.lastComponent?.string } && byCount.bytes > 2000)
            let bySize = RunFolders(root: root).prune(keeping: nil, bytes: 2500, sparing: runs[4])
            #expect(bySize.names == [runs[2].lastComponent?.string])
            let all = RunFolders(root: root).prune(keeping: 1, bytes: 0, sparing: runs[4])
            #expect(all.names == [runs[3].lastComponent?.string] && all.troubles.isEmpty)
            #expect(try names(root) == [runs[4].lastComponent?.string ?? "", "latest"])
        }
    }

    @Test("only finished runs of Headwind are removed, and no link is followed")
    func strangers() throws {
        try inFolder { root in
            let precious = root.appending("elsewhere")
            mkdir(precious.string, 0o755)
            try Data("x".utf8).write(to: URL(filePath: precious.appending("file").string))
            let results = root.appending("results")
            let old = try run(1, in: results)
            symlink(precious.string, old.appending("link").string)
            // The same name without a mark; a mark that is a link; a folder that is a link; another name; an unfinished
            // run.
            mkdir(results.appending("2026-11-01T00-00-00Z-0001").string, 0o755)
            mkdir(results.appending("2026-11-01T00-00-00Z-0002").string, 0o755)
            symlink(
                old.appending(ResultsLock.fileName).string,
                results.appending("2026-11-01T00-00-00Z-0002/\(ResultsLock.fileName)").string)
            symlink(precious.string, results.appending("2026-11-01T00-00-00Z-0003").string)
            mkdir(results.appending("mine").string, 0o755)
            let going = try RunFolders(root: results).begin(
                at: Date(timeIntervalSince1970: 1_793_491_200), command: [])
            let last = try run(9, in: results)
            let pruned = RunFolders(root: results).prune(keeping: 1, bytes: nil, sparing: last)
            #expect(pruned.names == [old.lastComponent?.string] && pruned.troubles.isEmpty)
            #expect(try names(precious) == ["file"])
            #expect(try names(results).count == 7)
            withExtendedLifetime(going) {}
        }
    }

    @Test("a folder is named relative to that of the project, also through a link")
    func project() throws {
        try inFolder { root in
            mkdir(root.appending("real").string, 0o755)
            symlink("real", root.appending("link").string)
            let folder = root.appending("real/results")
            mkdir(folder.string, 0o755)
            #expect(ProjectFolder.name(of: folder, below: [root.appending("real")]) == "results")
            #expect(ProjectFolder.name(of: folder, below: [root.appending("link")]) == "results")
            #expect(ProjectFolder.name(of: folder, below: [root.appending("other")]) == folder.string)
            #expect(ProjectFolder.name(of: "/a/../b/c", below: "/b") == "c")
            #expect(ProjectFolder.name(of: "/bc", below: "/b") == nil)
        }
    }
}
