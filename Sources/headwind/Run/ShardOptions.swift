import ArgumentParser
import Documents
import FoundationEssentials
import Harness
import History
import LinuxSupport
import ResultFiles
import Results
import SystemPackage
import Wording

/// Options for the part of a run to run here, and for listing it.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run one part of the cells, such as 3/8: the third of eight. 'headwind report merge' puts the results together. "
                + "In a GitLab job with 'parallel:' the default is that job's part.", valueName: "part"),
        transform: { text in
            guard let place = ShardNumber(text) else {
                throw ValidationError("'\(text)' is not a shard of a run, such as 3/8: the third of eight.")
            }
            return place
        })
    var shard: ShardNumber?

    @Flag(
        help: ArgumentHelp(
            "With --shard or --on: divide the attempts of each cell among the shards, instead of whole cells. "
                + "'headwind report merge' judges them together, if machines and links are of the same kind; else "
                + "it refuses. (default: a cell stays whole on one machine)"))
    var attemptsAcross = false

    @Option(
        help: ArgumentHelp(
            "Cache packs built from catalogs in this folder, and reuse them if the content is the same. (default: "
                + "each run builds them; with --on once for all shards)", valueName: "folder"),
        completion: .directory, transform: { FilePath($0) })
    var packs: FilePath?

    @Flag(help: "List the cells, their expected durations and their shards, and run nothing.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "With --on or --list: the number of shards. (default with --on: one for each cell, 8 at most)",
            valueName: "count"))
    var shards: Int?

    @Option(
        help: ArgumentHelp(
            "Balance shards by the durations of this earlier result or history. Give every shard the same file. "
                + "(default: the time of a perfect client)", valueName: "file"),
        completion: .file(extensions: ["json", "sqlite"]),
        transform: { FilePath($0) })
    var durations: FilePath?

    func validate() throws {
        let most = ShardNumber.mostShards
        try ValidationError.check(shards, in: 1...most, "--shards is between 1 and \(most).")
        if let shards, let shard, shard.count != shards {
            throw ValidationError("--shard \(shard) is one of \(shard.count) shards: leave out --shards.")
        }
    }

    /// Throws `ValidationError` for options that contradict or need another one.
    func check(isElsewhere: Bool) throws {
        if isElsewhere, packs != nil {
            throw ValidationError("--on keeps packs in the folder of the shards: leave out --packs.")
        }
        if attemptsAcross {
            if list { throw ValidationError("--list shows whole cells: leave out --attempts-across.") }
            if durations != nil {
                throw ValidationError("--durations divides whole cells: leave it or --attempts-across out.")
            }
            if !isElsewhere, shard == nil, Self.partOfGitLab == nil {
                throw ValidationError("--attempts-across needs --shard or --on.")
            }
        }
        guard !list, !isElsewhere else { return }
        if shards != nil { throw ValidationError("--shards needs --on or --list.") }
        if durations != nil, shard == nil, Self.partOfGitLab == nil {
            throw ValidationError("--durations needs --on, --shard or --list.")
        }
    }

    /// The requested part, or the part of this GitLab job; nil: all cells.
    ///
    /// Throws if GitLab's variables contradict each other: a job that ran all cells would look like one of many.
    func part() throws -> ShardNumber? {
        if let shard { return shard }
        guard let (index, count) = Self.partOfGitLab else { return nil }
        guard let place = ShardNumber(index: index, count: count) else {
            throw CommandFailure.usage(
                "\(Self.variables.index)=\(index) and \(Self.variables.count)=\(count) are not a valid shard. Give "
                    + "--shard, such as --shard 1/\(count), or --shard 1/1 for all cells.")
        }
        let variables = "\(Self.variables.index) and \(Self.variables.count)"
        Console.note("Shard \(place) is run, by \(variables); --shard 1/1 runs all cells.")
        return place
    }

    /// The part of the run that is resumed, or else ``part()``.
    func part(takingUp sittings: RunSittings?) throws -> ShardNumber? {
        guard let sittings else { return try part() }
        let earlier = sittings.shard
        if let shard, (shard.index, shard.count) != (earlier?.index, earlier?.count) {
            throw CommandFailure.usage(
                "The run in '\(sittings.folder)' is \(earlier.map { "shard \($0)" } ?? "not a shard"), so --resume "
                    + "cannot run shard \(shard). Leave out --shard, or run the shard with --output.")
        }
        // The numbers are from a file; wrong ones fit no division.
        return earlier.flatMap { ShardNumber("\($0)") }
    }

    private static let variables = (index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL")

    /// The values of GitLab's variables; nil if this is not one of several jobs.
    private static var partOfGitLab: (index: String, count: String)? {
        guard let count = Console.environment(variables.count), !count.isEmpty, count != "1" else { return nil }
        let index = Console.environment(variables.index) ?? ""
        // A matrix numbers its jobs too; only the jobs of 'parallel: 3' are named "… 1/3".
        if let job = Console.environment("CI_JOB_NAME"), !job.hasSuffix(" \(index)/\(count)") { return nil }
        return (index, count)
    }

    /// How long the cells of a run are expected to take.
    func expectedCells(of run: Run) async throws -> [ExpectedCell] {
        var measured: [String: Double] = [:]
        if let durations, Self.isDatabase(durations) {
            measured = try RunHistory(readingFrom: durations).durations()
        } else if let durations, let list = Self.list(durations) {
            measured = list
        } else if let durations {
            _ = try ReportShowCommand.stream(durations, part: { ($0.name, $0.durationSeconds) }) { name, seconds in
                measured[name] = seconds
            }
        }
        return try await run.expectedCells(measured: measured)
    }

    /// The durations that a file lists in seconds, by the name of the cell; nil if it is no such list.
    ///
    /// A run that is divided among machines writes such a list for its shards: `{"3g": 12.5, "lossy": 3}`.
    private static func list(_ file: FilePath) -> [String: Double]? {
        guard let bytes = try? BoundedFile.read(file, most: mostListBytes), bytes.count <= mostListBytes else {
            return nil
        }
        let list = try? JSONDecoder().decode([String: Double].self, from: Data(bytes))
        return list.flatMap { $0.values.allSatisfy { (0...1e9).contains($0) } ? $0 : nil }
    }

    private static let mostListBytes = 64 << 20

    /// Whether a file is an SQLite database, and thus a history rather than a result.
    private static func isDatabase(_ file: FilePath) -> Bool {
        let start = Array("SQLite format 3\0".utf8)
        return (try? BoundedFile.read(file, most: start.count - 1)) == start
    }
}

/// The output of `headwind run --list`: the cells, their expected durations and their shards.
struct RunListing {
    /// The cells, with their shards from 1; nil if the run is not divided.
    private let cells: [(cell: ExpectedCell, shard: Int?)]
    /// The numbers of the shards, from 1, with the cells and the expected seconds of each.
    private let shards: [(number: Int, cells: Int, seconds: Double)]
    /// The digest of the division, as in results of shards; nil if the run is not divided.
    private let division: String?

    /// Lists all cells, or only those of `shard`, with the shards of `division` if it is not nil.
    init(_ expected: [ExpectedCell], _ division: ShardDivision?, of shard: Int?) {
        let cells = expected.indices.map { (cell: expected[$0], shard: division?.shards[$0]) }
        self.cells = cells.filter { shard == nil || $0.shard == shard }
        shards = (division?.seconds ?? []).enumerated().map { index, seconds in
            (number: index + 1, cells: cells.count { $0.shard == index + 1 }, seconds: seconds)
        }.filter { shard == nil || $0.number == shard }
        self.division = division?.digest
    }

    /// The list as JSON.
    var json: JSONTree {
        let cells = cells.map { cell, shard in
            JSONTree.object([
                "name": .text(cell.name), "expected_seconds": .number(cell.seconds),
                "basis": .text(cell.basis.rawValue), "shard": shard.map(JSONTree.whole),
            ])
        }
        let shards = shards.map { number, cells, seconds in
            JSONTree.object(["shard": .whole(number), "cells": .whole(cells), "expected_seconds": .number(seconds)])
        }
        return .object([
            "schema_version": .whole(1), "cells": .list(cells), "shards": .list(shards),
            "division": division.map(JSONTree.text),
        ])
    }

    /// The list as text.
    var lines: [String] {
        let head = ["CELL", "EXPECTED", "BY"] + (division == nil ? [] : ["SHARD"])
        let rows = cells.map { cell, shard in
            [cell.name.singleLine, Self.text(cell.seconds), cell.basis.word] + (shard.map { ["\($0)"] } ?? [])
        }
        let table = TextTable.lines([head] + rows, numbers: [1, 3])
        let sum = cells.map(\.cell.seconds).reduce(0, +)
        return table + [""]
            + shards.map { "shard \($0.number): \($0.cells.counted("cell")), \(Self.text($0.seconds))" }
            + ["\(cells.count.counted("cell")), \(Self.text(sum)) one after the other"]
    }

    private static func text(_ seconds: Double) -> String { Quantity(seconds, .seconds).rounded() }
}

extension ExpectedCell.Basis {
    /// The word in the list.
    fileprivate var word: String {
        switch self {
        case .measured: "earlier run"
        case .ideal: "perfect client"
        case .rough: "rough"
        }
    }
}
