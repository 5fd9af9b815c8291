import Distribution
import Documents
import Results
import Synchronization
import Wording

/// Shows the progress of a divided run: one line that is redrawn on a terminal, lines in a log, or JSON lines.
final class DistributionView: Sendable {
    private struct State {
        var totals = DistributionTotals()
        var saidAt: ContinuousClock.Instant
        var told: DistributionTotals?
    }

    private let format: OutputFormat
    private let engine: EngineName
    private let cells: Int
    private let state: Mutex<State>

    init(_ plan: ShardPlan, format: OutputFormat) {
        (self.format, engine, cells) = (format, plan.engine, plan.cells.map(\.count).reduce(0, +))
        state = Mutex(State(saidAt: .now))
    }

    /// Shows a sentence.
    func note(_ text: String) { say(text, .object(["event": .text("note"), "text": .text(text)])) }

    /// Shows a step of the progress.
    func show(_ progress: DistributionProgress) {
        switch progress {
        case .submitted(let submission):
            let jobs = (submission.jobs ?? []).joined(separator: ", ")
            let count = submission.shards.count.counted("shard")
            say(
                "\(count) submitted to \(engine.rawValue)\(jobs.isEmpty ? "" : " as \(jobs)")",
                .object([
                    "event": .text("submitted"), "shards": .list(submission.shards.map { .whole($0) }),
                    "jobs": .texts(submission.jobs ?? []),
                ]))
        case .changed(let shard, let state): show(shard, state)
        case .cell(let shard, let line): show(shard, line)
        case .again(let shard, let why):
            say("shard \(shard) is run again: \(why)", Self.shard(shard, "again").setting("why", .text(why)))
        case .gaveUp(let shard, let why):
            say(
                "shard \(shard) has no complete result: \(why)",
                Self.shard(shard, "given-up").setting("why", .text(why)))
        case .collected(let shard): say(nil, Self.shard(shard, "whole"))
        case .unknown(let why):
            note("\(engine.rawValue) does not answer; trying again. \(why)")
        case .totals(let totals): show(totals)
        }
    }

    private static func shard(_ shard: Int, _ state: String) -> JSONTree {
        .object(["event": .text("shard"), "shard": .whole(shard), "state": .text(state)])
    }

    private func show(_ shard: Int, _ state: ShardState) {
        switch state {
        case .waiting(let why):
            say(nil, Self.shard(shard, "waiting").setting("why", why.map(JSONTree.text)))
        case .running(let machine):
            say(
                machine.map { "shard \(shard) runs on \($0)" },
                Self.shard(shard, "running").setting("machine", machine.map(JSONTree.text)))
        // Other steps report the effects of these.
        case .ended, .lost, .stopped: break
        }
    }

    private func show(_ shard: Int, _ line: CellLine) {
        let tree = JSONTree(encoding: line).setting("shard", .whole(shard))
        guard line.event == .judged else { return say(nil, tree) }
        let done = state.withLock { state in
            state.totals.done += 1
            return state.totals.done
        }
        let attempts = line.attempts.map { "  (\($0.counted("attempt")))" } ?? ""
        say(
            "[\(done)/\(cells)] \(line.verdict ?? "")  \(line.cell)\(attempts)",
            tree.setting("done", .whole(done)).setting("cells", .whole(cells)))
    }

    private func show(_ totals: DistributionTotals) {
        let isSilent = state.withLock { state in
            state.totals = totals
            return state.saidAt + RunView.silence <= .now
        }
        if format == .text {
            if Console.isInteractive { return Console.progress("\(Self.line(totals))") }
            if isSilent { say(Self.line(totals), nil) }
            return
        }
        var known = totals
        known.remaining = nil
        let isNew = state.withLock { state in
            defer { state.told = known }
            return state.told != known
        }
        if isNew || isSilent { say(nil, Self.tree(totals)) }
    }

    /// The progress line: `12/40 cells, 3 failed, 8 running  ·  5/8 shards, 2 running, 1 waiting  ·  about 12 min
    /// more`.
    static func line(_ totals: DistributionTotals) -> String {
        let failed = totals.failed > 0 ? ", \(totals.failed) failed" : ""
        let remaining = totals.remaining.map { "  ·  about \(duration($0)) more" } ?? ""
        return "\(totals.done)/\(totals.cells) cells\(failed), \(totals.running) running  ·  "
            + "\(totals.shardsDone)/\(totals.shards) shards, \(totals.shardsRunning) running, \(totals.shardsWaiting) waiting"
            + remaining
    }

    private static func duration(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return seconds < 100 ? "\(seconds) s" : "\((seconds + 30) / 60) min"
    }

    private static func tree(_ totals: DistributionTotals) -> JSONTree {
        .object([
            "event": .text("totals"), "cells": .whole(totals.cells), "done": .whole(totals.done),
            "failed": .whole(totals.failed), "running": .whole(totals.running),
            "waiting": .whole(totals.waiting), "shards": .whole(totals.shards),
            "shards_done": .whole(totals.shardsDone),
            "shards_running": .whole(totals.shardsRunning),
            "remaining_seconds": totals.remaining.map { .whole($0.components.seconds) },
        ])
    }

    private func say(_ text: String?, _ tree: JSONTree?) {
        let line: String? =
            switch format {
            case .text: text
            case .json: tree?.line
            }
        guard let line else { return }
        state.withLock { $0.saidAt = .now }
        Console.note("\(line)")
    }
}
