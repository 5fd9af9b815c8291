import Foundation
import Glibc
import Results
import Synchronization
import SystemPackage
import Testing

@testable import ResultFiles

@Suite("One writer for a folder of results")
struct ResultsLockTests {
    private func inFolder(_ body: (FilePath) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "headwind-hold-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(FilePath(folder.path(percentEncoded: false)))
    }

    private func names(_ folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }

    @Test("a second writer is refused with the first one's process, and both leave no file")
    func second() throws {
        try inFolder { root in
            let folder = root.appending("deep/results")
            do {
                let held = try ResultsFolder(folder, command: ["headwind", "run", "a b.yaml"])
                let error = #expect(throws: ResultFileError.self) { try ResultsFolder(folder, command: ["other"]) }
                #expect(error == .folderInUse(folder, by: "process \(getpid()), headwind run 'a b.yaml'"))
                #expect(error?.description.contains("process \(getpid()), headwind run") == true)
                #expect(try names(folder) == [".headwind-run", "events.jsonl"])
                withExtendedLifetime(held) {}
            }
            #expect(try names(folder) == ["events.jsonl"])
            _ = try ResultsFolder(folder)
        }
    }

    @Test("the file of a killed process is no lock, and the next run removes it")
    func stale() throws {
        try inFolder { folder in
            let file = folder.appending(ResultsLock.fileName)
            for text in ["", "process 1, headwind run x\n"] {
                try Data(text.utf8).write(to: URL(filePath: file.string))
                _ = try ResultsLock(folder, command: [])
                #expect(try names(folder).isEmpty)
            }
        }
    }

    @Test("a foreign file, a link, a folder and a pipe of that name stay unchanged")
    func foreign() throws {
        try inFolder { root in
            let precious = root.appending("precious")
            try Data("mine".utf8).write(to: URL(filePath: precious.string))
            let makers: [(String) -> Void] = [
                { try? Data("mine\n".utf8).write(to: URL(filePath: $0)) }, { symlink(precious.string, $0) },
                { mkdir($0, 0o755) }, { mkfifo($0, 0o644) },
            ]
            for (number, make) in makers.enumerated() {
                let folder = root.appending("\(number)")
                mkdir(folder.string, 0o755)
                make(folder.appending(ResultsLock.fileName).string)
                #expect(throws: ResultFileError.self) { try ResultsFolder(folder) }
                #expect(try names(folder) == [ResultsLock.fileName])
            }
            #expect(try Data(contentsOf: URL(filePath: precious.string)) == Data("mine".utf8))
        }
    }

    @Test("of many processes that begin at once in one folder, one holds the lock at a time")
    func race() throws {
        try inFolder { folder in
            let state = Counter()
            DispatchQueue.concurrentPerform(iterations: 64) { _ in
                for _ in 0..<20 {
                    guard let hold = try? ResultsLock(folder, command: []) else { continue }
                    state.enter()
                    state.leave()
                    withExtendedLifetime(hold) {}
                }
            }
            let left = try names(folder)
            #expect(state.most == 1 && left.isEmpty)
        }
    }

    @Test("runs that end and prune at once remove neither unfinished runs nor the one that 'latest' names")
    func pruningAtOnce() throws {
        try inFolder { root in
            let folders = RunFolders(root: root)
            let troubles = Counter()
            DispatchQueue.concurrentPerform(iterations: 16) { _ in
                for _ in 0..<8 {
                    guard let place = try? folders.begin(command: []) else { troubles.enter(); continue }
                    try? Data("x".utf8).write(to: URL(filePath: place.path.appending("result.json").string))
                    let pruned = folders.prune(keeping: 1, bytes: 1, sparing: place.path)
                    for _ in pruned.troubles { troubles.enter() }
                    let isThere = FileManager.default.fileExists(atPath: place.path.appending("result.json").string)
                    let latest = root.appending(RunFolders.latestName).appending(ResultsLock.fileName)
                    if !isThere || access(latest.string, F_OK) != 0 { troubles.enter() }
                }
            }
            #expect(troubles.most == 0)
        }
    }

    @Test("a run that ends late keeps the folder that 'latest' names, though that run has ended")
    func latestStays() throws {
        try inFolder { root in
            let folders = RunFolders(root: root)
            let first = try folders.begin(at: Date(timeIntervalSince1970: 1_793_491_200), command: [])
            let last = try folders.begin(command: []).path
            let pruned = folders.prune(keeping: 1, bytes: 0, sparing: first.path)
            #expect(pruned.names.isEmpty && pruned.troubles.isEmpty)
            #expect(try names(root).contains(last.lastComponent?.string ?? ""))
            // A folder with the file of a killed run of --output is no run of this root.
            let other = root.appending("2026-11-01T00-00-00Z-ffff")
            mkdir(other.string, 0o755)
            try Data("process 1, headwind\n".utf8).write(
                to: URL(filePath: other.appending(ResultsLock.fileName).string))
            #expect(folders.prune(keeping: 1, bytes: 0, sparing: first.path).names.isEmpty)
        }
    }

    @Test("only reports that were written are named")
    func writtenNames() throws {
        try inFolder { root in
            let folder = try ResultsFolder(root)
            let run = RunResult(
                toolVersion: "1", commandLine: [], seed: 1,
                host: HostFacts(kernel: "6.18", architecture: "x86_64", processors: 2),
                startedAt: "2026-11-22T09:00:00Z",
                durationSeconds: 1, cells: [])
            for name in ["report.html", "summary.md"] { mkdir(root.appending(name).string, 0o755) }
            #expect(throws: ResultFileError.self) { try folder.writePage(run) }
            #expect(throws: ResultFileError.self) { try folder.write(run) }
            #expect(folder.writtenNames == ["result.json", "junit.xml", "events.jsonl"])
            for name in ["report.html", "summary.md"] { rmdir(root.appending(name).string) }
            try folder.writePage(run)
            try folder.write(run)
            #expect(
                folder.writtenNames
                    == ["result.json", "junit.xml", "summary.md", "metrics.txt", "report.html", "events.jsonl"])
        }
    }
}

/// Counts how many threads are in a place at a time.
private final class Counter: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    func enter() {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }

    var most: Int { counts.withLock { $0.most } }
}
