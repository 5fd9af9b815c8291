import Foundation
import Reports
import SystemPackage

@testable import ResultFiles
@testable import Results

/// Folders of results, which are removed at the end of the test.
final class Ground {
    let folder: FilePath

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "merge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = FilePath(url.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.string) }

    func write(_ path: String, _ text: String) throws { try write(path, text.utf8) }

    @discardableResult
    func write(_ path: String, _ bytes: some Sequence<UInt8>) throws -> FilePath {
        let file = folder.appending(path)
        try FileManager.default.createDirectory(
            atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file.string))
        return file
    }

    func text(_ path: String) throws -> String {
        try String(contentsOfFile: folder.appending(path).string, encoding: .utf8)
    }

    func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(path).string) }

    /// Writes a folder with a result, and a line of events for each attempt.
    func shard(_ name: String, _ run: RunResult) throws -> ResultMerge.Shard {
        try write("\(name)/result.json", String(decoding: try run.json(), as: UTF8.self))
        let lines = run.cells.flatMap { cell in
            cell.attempts.map { attempt in
                TimelineEvent(
                    nanoseconds: 5, cell: cell.name, attempt: attempt.number, source: .harness, name: name
                ).line
            }
        }
        try write("\(name)/events.jsonl", lines.joined() + "{\"v\":2,\"t\":5,\"cell\":\"cut")
        for cell in run.cells {
            for attempt in cell.attempts { try write("\(name)/schedules/\(cell.scenario)-\(attempt.number).txt", name) }
            try write("\(name)/captures/\(cell.scenario)-1.pcapng", name)
            if let bundle = cell.bundle {
                try write("\(name)/\(bundle)/bundle.json", name)
                try write("\(name)/\(bundle)/packs/a", name)
            }
        }
        return .init(folder: folder.appending(name), run: run)
    }

    func merge(_ shards: [ResultMerge.Shard]) throws -> (RunResult, missing: [String]) {
        let (run, missing, _) = try ResultMerge(shards).write(
            to: folder.appending("whole"), commandLine: ["headwind", "report", "merge"], toolVersion: "1")
        return (run, missing)
    }

    /// Writes a bundle that can be replayed, and returns its folder.
    func bundle(_ name: String = "bundle", record: String = Ground.record) throws -> FilePath {
        let scenario = """
            scenario: T
            packs: ./packs/
            link: {profile: ./profiles/p.yaml, seed: 1, fidelity: modelled}
            workload: {command: ["true"]}
            schedule: ./schedule.txt
            """
        try write("\(name)/scenario.yaml", scenario)
        try write("\(name)/packs/a.bin", [1])
        try write("\(name)/profiles/p.yaml", "profile: p\nsource: a test\n")
        try write("\(name)/schedule.txt", "schedule version=1\n")
        try write("\(name)/bundle.json", record)
        return folder.appending(name)
    }

    static let record = """
        {"schema_version": 1, "tool_version": "1", "command": "", "made_at": "", "cell": "T", "title": "T", "attempt": 1,
         "backend": "proxy", "seed": "1", "failure": {"outcomes": ["client_failed"], "budgets": []}, "sentences": [],
         "schedule": {"file": "schedule.txt", "lines": 0, "hash": "", "first_transmission_hash": "", "omitted": 0},
         "client": {"command": ["true"], "built_in": false, "files": []},
         "content": {"source": "", "copied": true, "packs": [{"name": "a.bin", "size_bytes": 1, "sha256": \(digest)}]},
         "host": {"kernel": "", "architecture": "", "processors": 1, "versions": {}}, "left_out": []}
        """

    /// The digest of the pack's single byte.
    private static let digest = "\"4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a\""

    /// Writes all files of a run into a folder, like a run.
    func results(_ name: String, _ run: RunResult) throws {
        let results = try ResultsFolder(folder.appending(name), command: ["headwind", "run"])
        try results.append(
            [TimelineEvent(nanoseconds: 5, cell: "a", attempt: 1, source: .harness, name: "attempt_begin")], of: 0)
        try results.write(run)
        try results.writePage(run)
    }

    static func cell(_ name: String, seconds: Double = 1, most: Double = 2) throws -> CellResult {
        let plan = CellPlan(
            expectations: [], budgets: [try Budget(key: "time_to_available", text: "max <= \(most) s")], attempts: 1,
            maximumAttempts: 1)
        let attempt = AttemptRecord(
            number: 1, seed: Seed(1), durationSeconds: seconds, samples: Samples([.timeToAvailable: .value(seconds)]),
            schedule: ScheduleFacts(file: "schedules/\(name)-1.txt", lines: 0, hash: "", firstTransmissionHash: ""))
        var cell = CellResult(
            scenario: name, link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"), plan: plan,
            attempts: [attempt], startedAt: "2026-11-21T04:00:00Z", durationSeconds: seconds)
        if cell.verdict == .fail {
            cell.bundle = "bundles/\(name)-1"
            cell.replayCommand = "headwind replay /elsewhere/bundles/\(name)-1"
        }
        return cell
    }

    static func run(
        _ cells: [CellResult], unfinished: [String] = [], ending: Finding? = nil, kernel: String = "6.18",
        start: String = "2026-11-21T04:00:00Z"
    ) -> RunResult {
        RunResult(
            toolVersion: "1", commandLine: ["headwind", "run"], seed: 7,
            host: HostFacts(kernel: kernel, architecture: "x86_64", processors: 2), startedAt: start,
            durationSeconds: 60, cells: cells, unfinished: unfinished, ending: ending)
    }
}
