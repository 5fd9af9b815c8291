import Foundation
import SystemPackage
import Testing

@testable import History
@testable import Results

@Suite("The history of runs")
struct HistoryTests {
    static func result(
        _ number: Int, seconds: [Double?], kernel: String = "6.1", cell: String = "level-2", took: Double = 1
    ) -> RunResult {
        let host = HostFacts(system: "Debian", kernel: kernel, architecture: "x86_64", processors: 2)
        let link = LinkFacts(profile: "3g", backend: "packet", fidelity: "packet")
        let attempts = seconds.enumerated().map { index, seconds in
            var samples = Samples()
            samples[.timeToAvailable] = seconds.map(Sample.value) ?? .neverCame
            samples.set(.requests, 1)
            return AttemptRecord(
                number: index + 1, seed: Seed(1), samples: samples,
                requests: [.init(id: "r", result: .available, seconds: 1)])
        }
        var result = CellResult(
            scenario: cell, link: link,
            plan: CellPlan(expectations: [RequestExpectation(.available())], attempts: seconds.count),
            attempts: attempts, startedAt: "2026-11-22T09:00:00Z", durationSeconds: took)
        result.fingerprint = Fingerprint(
            host: host, toolVersion: "1", link: link, profileDigest: "a", scenarioDigest: "b", client: "c")
        let day = Date(timeIntervalSince1970: 1_790_000_000 + Double(number) * 86_400)
        return RunResult(
            toolVersion: "1", commandLine: ["headwind", "run"], seed: 1, host: host,
            startedAt: day.formatted(.iso8601), durationSeconds: 1, cells: [result])
    }

    static func withFolder(_ body: (FilePath) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "headwind-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(FilePath(folder.path))
    }

    /// Runs a statement on a file, over a connection of its own.
    static func execute(_ sql: String, on file: FilePath) throws {
        try SQLiteDatabase(opening: file.string, isReadOnly: false).execute(sql)
    }

    @Test("recorded runs are read back in order, and unlike runs are in separate series")
    func records() throws {
        try Self.withFolder { folder in
            let file = folder.appending("deep/er/history.sqlite")
            let history = try RunHistory(recordingAt: file)
            try history.record(Self.result(2, seconds: [4, 5, 6]))
            try history.record(Self.result(1, seconds: [1, 2, nil]))
            try history.record(Self.result(3, seconds: [9, 9, 9], kernel: "6.12"))
            try history.record(Self.result(3, seconds: [9], cell: "level-3"))
            let series = try RunHistory(readingFrom: file).series(cell: "level-2", metric: .timeToAvailable)
            #expect(series.count == 2)
            #expect(series.first?.points.map(\.median) == [2, 5])
            #expect(series.first?.points.map(\.attempts) == [3, 3])
            #expect(series.first?.fingerprint.kernel == "6.1" && series.last?.fingerprint.kernel == "6.12")
            #expect(try RunHistory(readingFrom: file).series().count == 6)
        }
    }

    @Test("a cell with an infrastructure failure is not a point of a series")
    func infrastructure() throws {
        try Self.withFolder { folder in
            let history = try RunHistory(recordingAt: folder.appending("history.sqlite"))
            var failed = Self.result(1, seconds: [9, 9])
            failed.cells[0].verdict = .infrastructure
            try history.record(failed)
            try history.record(Self.result(2, seconds: [1, 2, 3]))
            let series = try history.series(cell: "level-2", metric: .timeToAvailable)
            #expect(series.map { $0.points.map(\.median) } == [[2]])
        }
    }

    @Test("a history that GRDB.swift made for an earlier version is read and written")
    func ofGRDB() throws {
        try Self.withFolder { folder in
            let kept = FilePath(#filePath).removingLastComponent().appending("Fixtures/made-by-grdb.sqlite")
            let file = folder.appending("history.sqlite")
            try FileManager.default.copyItem(atPath: kept.string, toPath: file.string)
            let series = try RunHistory(readingFrom: file).series()
            #expect(series.count == 24 && series.allSatisfy { $0.cell == "good" && $0.points.map(\.run) == [1, 2] })
            let times = try #require(series.first { $0.metric == .timeToAvailable })
            #expect(times.points.map(\.median) == [0.103154604, 0.108485305])
            #expect(times.points.map(\.startedAt) == ["2026-11-26T03:33:42.822Z", "2026-11-26T03:33:44.648Z"])
            #expect(times.fingerprint.backend == "proxy" && times.fingerprint.memoryClassBytes == 1 << 35)
            #expect(series.first { $0.metric == .timeToError }?.points.map(\.median) == [nil, nil])
            #expect(throws: HistoryError.self) {
                try RunHistory(readingFrom: file).record(Self.result(1, seconds: [1]))
            }
            let history = try RunHistory(recordingAt: file)
            try history.record(Self.result(100, seconds: [1]))
            #expect(try history.series(metric: .timeToAvailable).map { $0.points.map(\.run) } == [[1, 2], [3]])
            #expect(try history.prune(before: "2026-11-26T03:33:44") == 1)
            #expect(try history.series(cell: "good", metric: .requests).map { $0.points.map(\.run) } == [[2]])
        }
    }

    @Test("several processes may create a history at the same time")
    func severalMakers() throws {
        try Self.withFolder { folder in
            let file = folder.appending("history.sqlite")
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                #expect(throws: Never.self) {
                    try RunHistory(recordingAt: file).record(Self.result(number, seconds: [1]))
                }
            }
            let series = try RunHistory(readingFrom: file).series(metric: .timeToAvailable)
            #expect(series.first?.points.count == 8)
        }
    }

    @Test("two writers may write at the same time")
    func twoWriters() throws {
        try Self.withFolder { folder in
            let file = folder.appending("history.sqlite")
            let (one, two) = (try RunHistory(recordingAt: file), try RunHistory(recordingAt: file))
            for number in 0..<5 {
                try one.record(Self.result(2 * number, seconds: [1]))
                try two.record(Self.result(2 * number + 1, seconds: [1]))
            }
            let series = try RunHistory(readingFrom: file).series(metric: .timeToAvailable)
            #expect(series.first?.points.count == 10)
        }
    }

    @Test("a cell's duration is the median of its five latest runs, and a history of an earlier version has none")
    func durations() throws {
        try Self.withFolder { folder in
            let history = try RunHistory(recordingAt: folder.appending("history.sqlite"))
            for (number, took) in [100.0, 90, 4, 1, 5, 2, 3].enumerated() {
                try history.record(Self.result(number, seconds: [1], took: took))
            }
            try history.record(Self.result(1, seconds: [1], kernel: "6.12", cell: "level-3", took: 7))
            #expect(try RunHistory(readingFrom: history.path).durations() == ["level-2": 3, "level-3": 7])
            let fixtures = FilePath(#filePath).removingLastComponent().appending("Fixtures")
            let earlier = folder.appending("earlier.sqlite")
            try FileManager.default.copyItem(
                atPath: fixtures.appending("made-by-grdb.sqlite").string, toPath: earlier.string)
            #expect(try RunHistory(readingFrom: earlier).durations() == [:])
            #expect(try !RunHistory(readingFrom: earlier).series().isEmpty)
        }
    }

    @Test("a file that is not a history is refused, and left as it is")
    func foreign() throws {
        try Self.withFolder { folder in
            let text = folder.appending("notes.txt")
            try Data("not a database, however long it may be".utf8).write(to: URL(filePath: text.string))
            #expect(throws: HistoryError.foreign(text)) { try RunHistory(recordingAt: text) }
            #expect(throws: HistoryError.foreign(text)) { try RunHistory(readingFrom: text) }
            let other = folder.appending("other.sqlite")
            try Self.execute("CREATE TABLE mine (a)", on: other)
            let before = try Data(contentsOf: URL(filePath: other.string))
            #expect(throws: HistoryError.foreign(other)) { try RunHistory(recordingAt: other) }
            #expect(try Data(contentsOf: URL(filePath: other.string)) == before)
            let missing = folder.appending("missing.sqlite")
            #expect(throws: HistoryError.missing(missing)) { try RunHistory(readingFrom: missing) }
            #expect(!FileManager.default.fileExists(atPath: missing.string))
            #expect(throws: HistoryError.self) { try RunHistory(recordingAt: folder) }
        }
    }

    @Test("a damaged history, and one of a later Headwind, are refused with what to do")
    func damaged() throws {
        try Self.withFolder { folder in
            let file = folder.appending("history.sqlite")
            do {
                let history = try RunHistory(recordingAt: file)
                for number in 0..<40 { try history.record(Self.result(number, seconds: [1, 2, 3])) }
                _ = try history.prune(before: "2000")
                try history.database.emptyLog()
            }
            var bytes = try Data(contentsOf: URL(filePath: file.string))
            let whole = bytes
            for place in stride(from: 4096, to: bytes.count, by: 7) { bytes[place] ^= 0x5A }
            try bytes.write(to: URL(filePath: file.string))
            #expect { try RunHistory(readingFrom: file).series() } throws: { error in
                "\(error)".contains("damaged") || "\(error)".contains("Could not use the history")
            }
            try whole.write(to: URL(filePath: file.string))
            try Self.execute("INSERT INTO grdb_migrations VALUES ('9 tomorrow')", on: file)
            #expect(throws: HistoryError.newer(file)) { try RunHistory(recordingAt: file) }
            #expect(throws: HistoryError.newer(file)) { try RunHistory(readingFrom: file) }
        }
    }

    @Test("old runs are removed by age and by size")
    func prunes() throws {
        try Self.withFolder { folder in
            let file = folder.appending("history.sqlite")
            let history = try RunHistory(recordingAt: file)
            for number in 0..<300 { try history.record(Self.result(number, seconds: [1, 2, 3, 4, 5])) }
            let days = try history.series(metric: .timeToAvailable).first?.points.map(\.startedAt) ?? []
            #expect(days.count == 300)
            #expect(try history.prune(before: days[100]) == 100)
            #expect(try history.series(metric: .timeToAvailable).first?.points.count == 200)
            let bytes = try history.bytes()
            let removed = try history.prune(toBytes: bytes * 3 / 4)
            #expect(removed > 0 && removed < 200)
            #expect(try history.bytes() <= bytes * 3 / 4)
            #expect(try history.series(metric: .timeToAvailable).first?.points.last?.startedAt == days.last)
            // All runs are removed, and the file is still a history.
            _ = try history.prune(toBytes: 1)
            #expect(try history.series().isEmpty)
        }
    }

    @Test("the system's objection to a place is reported, also for a folder that does not exist yet")
    func objections() throws {
        try Self.withFolder { folder in
            let file = folder.appending("notes.txt")
            try Data().write(to: URL(filePath: file.string))
            for place in [file.appending("h.sqlite"), file.appending("a/b/h.sqlite")] {
                #expect(RunHistory.objection(to: place, isReading: false) == .notDirectory)
                #expect {
                    try RunHistory(recordingAt: place)
                } throws: { error in
                    if case .unusable(place, _, .notDirectory) = error as? HistoryError { true } else { false }
                }
            }
            for place in [file, folder.appending("a/b/h.sqlite"), "h.sqlite"] {
                #expect(RunHistory.objection(to: place, isReading: false) == nil)
            }
            #expect(RunHistory.objection(to: file, isReading: true) == nil)
        }
    }

    @Test("a history in a folder that may not be written to is read")
    func readOnly() throws {
        try Self.withFolder { folder in
            let file = folder.appending("history # of ?.sqlite")
            do {
                let history = try RunHistory(recordingAt: file)
                try history.record(Self.result(1, seconds: [1]))
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.string)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.string) }
            #expect(try RunHistory(readingFrom: file).series().count == 2)
        }
    }
}
