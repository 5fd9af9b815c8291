import LinuxSupport
import ResultFiles
package import SystemPackage
import Wording

/// Runs shards as job arrays of Slurm, over a folder that its nodes share.
///
/// A shard writes its results, and at its end its status, into that folder. So Slurm is queried seldom, and its
/// accounting never.
package actor SlurmEngine: Engine {
    let context: EngineContext
    private let options: SlurmOptions
    /// The last answer of Slurm.
    private var queue: (heard: SlurmQueue, at: ContinuousClock.Instant)?
    /// How long the last answer is reused: longer each time, until a job is submitted again.
    private var pause = SlurmEngine.firstPause
    /// When a job was first seen to have ended without a status.
    private var ended: [String: ContinuousClock.Instant] = [:]
    let now: @Sendable () -> ContinuousClock.Instant
    let cancelPause: Duration

    /// The shortest interval between queries, right after the start.
    static let firstPause = Duration.seconds(1)
    /// The longest interval between queries, because many users share one controller.
    static let lastPause = Duration.seconds(10)
    /// How long a file of another machine may stay invisible: NFS caches for 60 s that it does not exist.
    static let delay = Duration.seconds(70)
    /// `MaxArraySize` if Slurm does not report one.
    private static let usualArraySize = 1001
    static let hint = "Install slurm-client, or use a machine that submits jobs."

    /// Throws ``EngineError`` for invalid options.
    init(
        _ context: EngineContext, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        cancelPause: Duration = .seconds(1)
    ) throws {
        (self.context, self.now, self.cancelPause) = (context, now, cancelPause)
        options = try SlurmOptions(context.plan.options)
    }

    package func submit(_ submission: Submission) async throws -> [String] {
        let script = context.places.folder.appending("slurm.sh")
        do { try AtomicFile.write(SlurmScript.text.utf8, to: script) } catch {
            throw EngineError.file(
                script, reason: "it cannot be written: \(error). Make room, or choose another --output.")
        }
        var jobs: [SlurmJob] = []
        var rest: [SlurmArray] = []
        for array in SlurmArray.arrays(of: submission.shards, size: try await arraySize()) {
            if let job = try await existing(submission, array) { jobs.append(job) } else { rest.append(array) }
        }
        // Slurm may accept a job although sbatch fails.
        do { for array in rest { jobs.append(try await start(submission, array)) } } catch let error as EngineError {
            throw EngineError.unsure(error)
        }
        (queue, pause) = (nil, Self.firstPause)
        return jobs.map(\.description)
    }

    private func start(_ submission: Submission, _ array: SlurmArray) async throws -> SlurmJob {
        let output = try await context.programs.output(
            of: "sbatch", words(for: submission, array), to: "submit the job array", hint: Self.hint)
        guard let job = SlurmJob(output.trimmed, offset: array.offset) else {
            throw EngineError.failed(command: "sbatch", attempted: "submit the job array", said: output.onOneLine)
        }
        return job
    }

    /// The arguments of `sbatch`.
    private func words(for submission: Submission, _ array: SlurmArray) -> [String] {
        let (plan, places) = (context.plan, context.places)
        let durations = plan.measuredDurations.map { _ in places.durations.string }
        return [
            "--parsable", "--no-requeue", "--array=\(array.text(atOnce: options.atOnce))",
            "--job-name=\(name(of: submission, array))", "--output=/dev/null", "--chdir=\(plan.command.directory)",
        ] + options.words + [
            places.folder.appending("slurm.sh").string, places.folder.string, "\(submission.number)", "\(plan.run)",
            "\(plan.count)", "\(array.offset)", plan.command.program,
        ] + plan.command.shared(durations: durations, packs: places.givenPacks?.string)
    }

    /// The name of the array's job, which is unique.
    private func name(of submission: Submission, _ array: SlurmArray) -> String {
        "\(context.plan.token)-\(submission.number)" + (array.offset > 0 ? "-\(array.offset)" : "")
    }

    /// The array that a coordinator started before it was killed; nil if there is none.
    func existing(_ submission: Submission, _ array: SlurmArray) async throws -> SlurmJob? {
        let text = try await context.programs.output(
            of: "squeue",
            ["--noheader", "--array", "--states=all", "--format=%F", "--name=\(name(of: submission, array))"],
            to: "look for jobs", hint: Self.hint)
        return text.split(separator: "\n").compactMap { SlurmJob($0.trimmed, offset: array.offset) }.first
    }

    func arraySize() async throws -> Int {
        let text = try await context.programs.output(
            of: "scontrol", ["show", "config"], to: "read the maximum size of job arrays", hint: Self.hint)
        let line = text.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
        let size = line.flatMap { Int($0.split(separator: "=").last.map { $0.trimmed } ?? "") }
        guard let size, size > 1 else { return Self.usualArraySize }
        return size
    }

    package func states(of submissions: [Submission]) async throws -> [Int: ShardState] {
        let last = Self.last(submissions)
        var states: [Int: ShardState] = [:]
        for (shard, submission) in last {
            // A shard that a signal ended may have been lost, which Slurm knows.
            if let status = status(shard, of: submission), status < 128, status != 75 {
                states[shard] = .ended(status: status)
            }
        }
        guard states.count < last.count else { return states }
        let queue = try await heard(submissions)
        for (shard, submission) in last where states[shard] == nil {
            states[shard] = state(of: shard, submission, queue)
        }
        return states
    }

    private func state(of shard: Int, _ submission: Submission, _ queue: SlurmQueue) -> ShardState {
        let jobs = (submission.jobs ?? []).compactMap { SlurmJob($0) }
        let task = queue.tasks.first { task in
            jobs.contains { $0.id == task.job && task.number + $0.offset == shard }
        }
        guard let task else {
            let name = jobs.map { "\($0.id)" }.joined(separator: ", ")
            return end(of: shard, submission, or: "Slurm no longer knows job \(name)")
        }
        let place = task.node.map { " on \($0)" } ?? ""
        return task.shardState
            ?? end(
                of: shard, submission,
                or: "job \(task.name) ended\(place) without a result (\(task.state)); check that it can "
                    + "read '\(context.places.folder)' and '\(context.plan.command.program)'")
    }

    /// The end of a job's script, which may become visible here later.
    private func end(of shard: Int, _ submission: Submission, or why: String) -> ShardState {
        if let status = status(shard, of: submission) { return .ended(status: status) }
        let key = "\(shard).\(submission.number)"
        let since = ended[key] ?? now()
        ended[key] = since
        return since.duration(to: now()) < Self.delay ? .running(machine: nil) : .lost(why)
    }

    private func status(_ shard: Int, of submission: Submission) -> Int32? {
        BoundedFile.text(context.places.status(shard, of: submission), most: 16).flatMap { Int32($0.trimmed) }
    }

    private func heard(_ submissions: [Submission]) async throws -> SlurmQueue {
        if let queue {
            guard queue.at.duration(to: now()) >= pause else { return queue.heard }
            pause = min(pause * 2, Self.lastPause)
        }
        let heard = try await ask(submissions.flatMap { $0.jobs ?? [] }.compactMap { SlurmJob($0) })
        queue = (heard, now())
        return heard
    }

    func ask(_ jobs: [SlurmJob]) async throws -> SlurmQueue {
        var tasks: [SlurmQueue.Task] = []
        for (cluster, jobs) in Dictionary(grouping: jobs, by: \.cluster) {
            let numbers = jobs.map { "\($0.id)" }
            let words =
                ["--noheader", "--array", "--states=all", "--format=\(SlurmQueue.format)"]
                + (cluster.map { ["--clusters=\($0)"] } ?? []) + ["--jobs=\(numbers.joined(separator: ","))"]
            let answer = try await context.programs.run("squeue", words, nil)
            // squeue ignores an unknown job number, unless it is the only one.
            if !answer.errors.contains("Invalid job id") { try answer.checked("squeue", to: "read the state of jobs") }
            tasks += SlurmQueue(answer.output).tasks
        }
        return SlurmQueue(tasks: tasks)
    }

    package func collect(_ shard: Int, of submission: Submission) async throws -> FilePath? {
        let part = context.places.part(shard, of: submission)
        return part.isFolder ? part : nil
    }

    package func draft(of submission: Submission) async throws -> String {
        let arrays = SlurmArray.arrays(of: submission.shards, size: Self.usualArraySize)
        let commands = arrays.map { ShellWords.quoted(["sbatch"] + words(for: submission, $0)) }
        let script = context.places.folder.appending("slurm.sh")
        return commands.joined(separator: "\n") + "\n\n# \(script):\n\(SlurmScript.text)"
            + (context.plan.measuredDurations.map { "\n# \(context.places.durations):\n\($0)" } ?? "")
    }

    /// The last submission of each shard.
    private static func last(_ submissions: [Submission]) -> [Int: Submission] {
        var last: [Int: Submission] = [:]
        for submission in submissions { for shard in submission.shards { last[shard] = submission } }
        return last
    }
}

extension SlurmEngine {
    /// How long to wait for cancelled jobs: `KillWait` is usually 30 s.
    private static let mostCancelling = Duration.seconds(60)

    package func cancel(_ submissions: [Submission]) async -> Bool {
        let start = now()
        var isAccepted = false
        var why = "Slurm jobs have not ended yet; see 'squeue --me'."
        repeat {
            do {
                let jobs = try await jobs(of: submissions)
                // scancel may refuse jobs that have ended, so that squeue has the last word.
                var refusal: EngineError?
                if !isAccepted { do { try await cancel(jobs) } catch let error as EngineError { refusal = error } }
                guard try await ask(jobs).tasks.contains(where: \.isAlive) else { return true }
                if let refusal { throw refusal }
                isAccepted = true
                try await Task.sleep(for: cancelPause)
            } catch let error as EngineError {
                if !isAccepted { why = "\(error)" }
                if case .missing = error { break }
                try? await Task.sleep(for: cancelPause)
            } catch { break }
        } while start.duration(to: now()) < Self.mostCancelling
        context.note(why)
        return isAccepted
    }

    private func cancel(_ jobs: [SlurmJob]) async throws {
        for (cluster, jobs) in Dictionary(grouping: jobs, by: \.cluster) {
            _ = try await context.programs.output(
                of: "scancel", (cluster.map { ["--clusters=\($0)"] } ?? []) + jobs.map { "\($0.id)" },
                to: "cancel jobs", hint: Self.hint)
        }
    }

    /// The jobs of submissions; by their names, if no coordinator could record them.
    private func jobs(of submissions: [Submission]) async throws -> [SlurmJob] {
        var jobs: [SlurmJob] = []
        for submission in submissions {
            jobs += (submission.jobs ?? []).compactMap { SlurmJob($0) }
            guard submission.jobs == nil else { continue }
            for array in SlurmArray.arrays(of: submission.shards, size: try await arraySize()) {
                if let job = try await existing(submission, array) { jobs.append(job) }
            }
        }
        return jobs
    }
}
