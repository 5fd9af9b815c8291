import FoundationEssentials
import LinuxSupport
import Results
import Synchronization
import SystemPackage

@testable import Distribution

/// A folder of shards, removed with the object, and a plan for it.
final class Bench: Sendable {
    let output: FilePath
    let plan: ShardPlan
    var places: ShardFolder { ShardFolder(output: output).own(plan) }

    /// A plan of `shards` shards with two cells each.
    init(shards: Int, options: [String] = []) throws {
        output = FilePath(FileManager.default.temporaryDirectory.path).appending("shards-\(UUID().uuidString)")
        plan = ShardPlan(
            toolVersion: "1", token: "headwind-1", engine: .slurm, options: options,
            command: ShardCommand(
                program: "/usr/bin/headwind", directory: "/tmp", options: [.init("--only", "a b")],
                scenarios: ["it's.yaml"]),
            division: "d1", cells: (1...shards).map { ["\($0)a", "\($0)b"] }, seconds: (1...shards).map { _ in [1, 3] })
        try FileManager.default.createDirectory(atPath: places.folder.string, withIntermediateDirectories: true)
        try plan.write(to: places.plan)
    }

    deinit { try? FileManager.default.removeItem(atPath: output.string) }

    /// Writes the result of a shard into a folder, with these of its cells.
    func write(
        _ shard: Int, _ names: [String]? = nil, division: String = "d1", findings: [Finding] = [], to folder: FilePath
    ) throws {
        let own = plan.cells[shard - 1]
        let cells = (names ?? own).map { name in
            var cell = CellResult(
                scenario: name, point: [], link: LinkFacts(profile: "3g", backend: "proxy", fidelity: "modelled"),
                plan: CellPlan(expectations: [], budgets: [], attempts: 1, maximumAttempts: 1), attempts: [],
                startedAt: "2026-01-01T00:00:00Z", durationSeconds: 1)
            cell.place = plan.cells.joined().firstIndex(of: name).map { _ in
                Array(plan.cells.joined()).firstIndex(of: name) ?? 0
            }
            return cell
        }
        var run = RunResult(
            toolVersion: "1", commandLine: ["headwind", "run"], seed: nil,
            host: HostFacts(kernel: "6", architecture: "x", processors: 2), startedAt: "2026-01-01T00:00:00Z",
            durationSeconds: 2,
            cells: cells, unfinished: own.filter { !(names ?? own).contains($0) }, findings: findings)
        run.shard = ShardNumber("\(shard)/\(plan.count)")
        run.shard?.division = division
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        try run.json().write(to: URL(filePath: folder.appending("result.json").string))
    }

    func write(_ text: String, to file: FilePath) throws { try Data(text.utf8).write(to: URL(filePath: file.string)) }
}

/// A clock whose sleeps end at once, but still advance its time.
final class HastyClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Instant())
    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline) }
        await Task.yield()
    }
}

/// An engine with a script that says what happens to each try of a shard.
final class ScriptedEngine: Engine {
    /// The states of one try, one for each look at it, and its result.
    struct Try {
        var states: [ShardState]
        /// The cells of its result; nil leaves no result.
        var cells: [String]?
        var division = "d1"
        var findings: [Finding] = []
        /// Whether its result is fetched only once.
        var isFetchedOnce = false
    }

    private struct State {
        var fetched: Set<FilePath> = []
        var looks: [String: Int] = [:]
        var submitted: [Submission] = []
        var cancelled: [Submission] = []
        var refusals = 0
    }

    private let bench: Bench
    private let tries: [Int: [Try]]
    private let state = Mutex(State())
    private let endsJobs: Bool
    private let onSubmit: @Sendable (Int) throws -> Void
    private let onRefusal: @Sendable () -> Void
    private let onLook: @Sendable (Int) -> Void

    /// `endsJobs` is what a cancel returns; `onSubmit` gets how many times something was submitted.
    init(
        _ bench: Bench, _ tries: [Int: [Try]], refusals: Int = 0, endsJobs: Bool = true,
        onLook: @escaping @Sendable (Int) -> Void = { _ in },
        onSubmit: @escaping @Sendable (Int) throws -> Void = { _ in },
        onRefusal: @escaping @Sendable () -> Void = {}
    ) {
        (self.bench, self.tries, self.endsJobs) = (bench, tries, endsJobs)
        (self.onSubmit, self.onRefusal, self.onLook) = (onSubmit, onRefusal, onLook)
        state.withLock { $0.refusals = refusals }
    }

    var submitted: [Submission] { state.withLock(\.submitted) }
    var cancelled: [Submission] { state.withLock(\.cancelled) }

    func submit(_ submission: Submission) async throws -> [String] {
        try onSubmit(
            state.withLock { state in
                state.submitted.append(submission)
                return state.submitted.count
            })
        for shard in submission.shards {
            guard let attempt = attempt(shard, submission), let cells = attempt.cells else { continue }
            try bench.write(
                shard, cells, division: attempt.division, findings: attempt.findings,
                to: bench.places.part(shard, of: submission))
        }
        return ["job-\(submission.number)"]
    }

    private func attempt(_ shard: Int, _ submission: Submission) -> Try? {
        let earlier = state.withLock {
            $0.submitted.filter { $0.shards.contains(shard) && $0.number < submission.number }.count
        }
        let all = tries[shard] ?? []
        return earlier < all.count ? all[earlier] : nil
    }

    func states(of submissions: [Submission]) async throws -> [Int: ShardState] {
        let refuses = state.withLock { state in
            defer { state.refusals = max(0, state.refusals - 1) }
            return state.refusals > 0
        }
        if refuses { onRefusal() }
        if refuses { throw EngineError.failed(command: "squeue", attempted: "ask", said: "no answer") }
        var states: [Int: ShardState] = [:]
        for submission in submissions {
            for shard in submission.shards {
                guard let attempt = attempt(shard, submission) else { continue }
                let key = "\(shard).\(submission.number)"
                let look = state.withLock { state in
                    defer { state.looks[key, default: 0] += 1 }
                    return state.looks[key] ?? 0
                }
                onLook(look)
                states[shard] = attempt.states[min(look, attempt.states.count - 1)]
            }
        }
        return states
    }

    func cancel(_ submissions: [Submission]) async -> Bool {
        state.withLock { $0.cancelled += submissions }
        return endsJobs
    }

    func collect(_ shard: Int, of submission: Submission) async throws -> FilePath? {
        let part = bench.places.part(shard, of: submission)
        let isNew = state.withLock { $0.fetched.insert(part).inserted }
        if !isNew, attempt(shard, submission)?.isFetchedOnce == true {
            throw EngineError.failed(command: "rsync", attempted: "fetch a shard", said: "no route")
        }
        return FileManager.default.fileExists(atPath: part.string) ? part : nil
    }

    func draft(of submission: Submission) async throws -> String { "" }
}
