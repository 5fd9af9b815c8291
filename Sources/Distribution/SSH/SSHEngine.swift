import FoundationEssentials
import Glibc
import LinuxSupport
import ResultFiles
package import SystemPackage
import Wording

/// Runs shards on a list of hosts: GNU parallel starts them over ssh, and rsync copies files in both directions.
///
/// parallel, and what it runs on the hosts, ends with the coordinator. Its job log lists the ended shards, so that
/// another coordinator continues with the rest.
package actor SSHEngine: Engine {
    let context: EngineContext
    let options: SSHOptions
    private var runs: [Int: Task<EnginePrograms.Answer, any Error>] = [:]
    /// What parallel reported at its end, by submission.
    private var over: [Int: String] = [:]
    private var kit: SSHKit?

    static let hint = "Install openssh-client, rsync and parallel (GNU parallel)."
    private static let mostLogBytes = 16 << 20
    private static let mostFirstBytes = 64 << 10

    /// Throws ``EngineError`` for options that are wrong.
    package init(_ context: EngineContext) throws {
        self.context = context
        options = try SSHOptions(context.plan.options)
    }

    package func submit(_ submission: Submission) async throws -> [String] {
        let kit = try await theKit()
        let script = try context.write(farScript(kit.name, kit.words).text, as: "shard.sh")
        var ready: [String] = []
        var last: EngineError?
        for host in options.hosts {
            do {
                try await prepare(host, kit, script)
                ready.append(host)
            } catch let error as EngineError {
                if case .missing = error { throw error }
                last = error
                context.note("The host \(host) is left out. \(error)")
            }
        }
        guard !ready.isEmpty else { throw last ?? EngineError.option("host", reason: "there is no host.") }
        try? FileManager.default.removeItem(atPath: joblog(submission).string)
        start(submission, on: ready)
        return ready
    }

    private func theKit() async throws -> SSHKit {
        if let kit { return kit }
        let made = try await SSHKit(context, sending: options.files)
        kit = made
        return made
    }

    private func farScript(_ kit: String, _ words: [String]) -> SSHScript {
        SSHScript(
            program: options.headwind ?? "\(copyName)/bin/headwind", count: context.plan.count, kit: kit,
            directory: context.plan.command.directory, words: words)
    }

    var copyName: String { "headwind-\(context.plan.toolVersion)" }
    /// The folder of this run's results on a host.
    var far: String { "\(options.folder)/\(context.plan.token)" }

    private func joblog(_ submission: Submission) -> FilePath {
        context.places.folder.appending("ssh-\(submission.number).jobs")
    }

    /// The arguments of `parallel`; each host runs one shard at a time.
    private func words(for submission: Submission, on hosts: [String]) -> [String] {
        // Ignores options in its home folder, and the prompt about citations.
        ["--plain", "--will-cite", "--jobs", "1", "--ssh", options.command]
            + hosts.flatMap { ["--sshlogin", $0] }
            + [
                "--joblog", joblog(submission).string, "--resume", "--results",
                context.places.folder.string + "/shard-{}.log", "sh \(far)/shard.sh {} \(submission.number)", ":::",
            ] + submission.shards.map { "\($0)" }
    }

    private func start(_ submission: Submission, on hosts: [String]) {
        let (programs, words) = (context.programs, words(for: submission, on: hosts))
        runs[submission.number] = Task { [self] in
            defer { Task { await self.note(submission.number) } }
            return try await programs.runLong("parallel", words)
        }
    }

    private func note(_ number: Int) async {
        guard let run = runs[number] else { return }
        switch await run.result {
        case .success(let answer): over[number] = answer.errors.isEmpty ? "it said nothing" : answer.reason
        case .failure(let error): over[number] = "\(error)"
        }
    }

    package func states(of submissions: [Submission]) async throws -> [Int: ShardState] {
        var states: [Int: ShardState] = [:]
        for submission in submissions {
            // Another coordinator started it, and its shards ended with that coordinator.
            if runs[submission.number] == nil,
                submission.shards.contains(where: { context.isNeeded($0, submission, of: submissions) })
            {
                goOn(submission)
            }
            let isOver = over[submission.number]
            let ends = SSHJobLog(BoundedFile.text(joblog(submission), most: Self.mostLogBytes) ?? "").ends
            for (index, shard) in submission.shards.enumerated() {
                if let end = ends[index + 1] {
                    states[shard] = end.state(errors: errors(of: shard))
                } else if let isOver {
                    states[shard] = .lost("parallel ended before this shard: \(isOver)")
                } else {
                    states[shard] = host(of: shard).map { .running(machine: $0) } ?? .waiting("hosts are busy")
                }
            }
        }
        return states
    }

    private func goOn(_ submission: Submission) {
        let hosts = (submission.jobs ?? []).filter(options.hosts.contains)
        // Without a host, parallel would run the shards on this machine.
        guard !hosts.isEmpty else { return over[submission.number] = "none of its hosts is known" }
        start(submission, on: hosts)
    }

    /// The last line of ssh's errors for a shard.
    private func errors(of shard: Int) -> String {
        let log = FilePath(context.places.log(shard).string + ".err")
        return BoundedFile.text(log, most: Self.mostFirstBytes)?.split(whereSeparator: \.isNewline).last?.trimmed ?? ""
    }

    /// The host that a shard runs on, from the first line of its log.
    private func host(of shard: Int) -> String? {
        let log = try? BoundedFile.read(context.places.log(shard), most: Self.mostFirstBytes)
        let first = log?.split(separator: 0x0A, maxSplits: 1).first.map { String(decoding: $0, as: UTF8.self) }
        return first.flatMap { line in options.hosts.first { line.hasPrefix("Shard \(shard) runs on \($0),") } }
    }

    /// Always true: what may still run on a host writes to nothing here.
    package func cancel(_ submissions: [Submission]) async -> Bool {
        for submission in submissions { runs[submission.number]?.cancel() }
        for submission in submissions { _ = await runs[submission.number]?.result }
        // The hosts notice the end of a connection slightly later: wait for their locks.
        for host in Set(submissions.flatMap { $0.jobs ?? [] }) {
            do {
                try await ssh(
                    host, "flock -w 40 \(options.folder)/lock-$(uname -n) true", to: "wait for shards on \(host) to end"
                )
            } catch {
                context.note("Shards on \(host) may still run. \(error)")
            }
        }
        return true
    }

    package func collect(_ shard: Int, of submission: Submission) async throws -> FilePath? {
        let part = context.places.part(shard, of: submission)
        let log = SSHJobLog(BoundedFile.text(joblog(submission), most: Self.mostLogBytes) ?? "")
        let index = submission.shards.firstIndex(of: shard) ?? 0
        guard let host = log.ends[index + 1]?.host ?? host(of: shard), options.hosts.contains(host) else {
            return part.isFolder ? part : nil
        }
        let name = "shard-\(shard).\(submission.number).part"
        let new = FilePath(part.string + ".new")
        let answer = try await context.programs.runLong(
            "rsync", ["-e", options.command, "-a", "\(host):\(far)/\(name)/", new.string + "/"])
        // It was fetched before, if there was one.
        if answer.errors.contains("No such file or directory") { return part.isFolder ? part : nil }
        try answer.checked("rsync", to: "fetch shard \(shard) from \(host)")
        try? FileManager.default.removeItem(atPath: part.string)
        guard rename(new.string, part.string) == 0 else {
            throw EngineError.file(part, reason: "could not move it there: \(Errno(rawValue: errno)).")
        }
        // The result has been copied; a copy on the host that cannot be removed only takes space.
        _ = try? await ssh(host, "rm -rf \(far)/\(name)", to: "remove shard \(shard) from \(host)")
        return part
    }

    package func draft(of submission: Submission) async throws -> String {
        let durations = context.plan.measuredDurations
        let script = farScript(
            "kit-DIGEST", context.plan.command.shared(durations: durations.map { _ in SSHKit.durations }))
        let files = (context.plan.files ?? []) + options.files
        return ShellWords.quoted(["parallel"] + words(for: submission, on: options.hosts)) + "\n\n# What is copied:\n"
            + files.map { "#   \($0)\n" }.joined() + "\n# \(far)/shard.sh:\n\(script.text)"
            + (durations.map { "\n# kit-DIGEST/durations.json:\n\($0)" } ?? "")
    }
}

extension SSHEngine {
    /// Copies the missing files to a host, and checks that its Headwind has this version.
    func prepare(_ host: String, _ kit: SSHKit, _ script: FilePath) async throws {
        try await ssh(host, "mkdir -p \(far)", to: "make the folder \(far) on \(host)")
        var program = options.headwind
        if program == nil {
            try await copyHeadwind(to: host)
            program = "\(options.folder)/\(copyName)/bin/headwind"
        }
        let version = try await ssh(
            host, "\(program ?? "") --version",
            to: "start headwind on \(host) as '\(program ?? "")'")
        guard version.trimmed.split(separator: " ").contains(Substring(context.plan.toolVersion)) else {
            throw EngineError.failed(
                command: "headwind --version",
                attempted: "use \(host), which needs Headwind \(context.plan.toolVersion)",
                said: version.trimmed.onOneLine)
        }
        try await rsync(["-a", kit.folder.string, "\(host):\(options.folder)/"], to: "copy the scenarios to \(host)")
        try await rsync(["-a", script.string, "\(host):\(far)/"], to: "copy the shards' script to \(host)")
    }

    /// Copies the parts of an installed Headwind, which run from any folder.
    private func copyHeadwind(to host: String) async throws {
        let bin = FilePath(context.plan.command.program).removingLastComponent()
        let root = bin.removingLastComponent()
        guard bin.lastComponent == "bin", root.appending("share/headwind").isFolder else {
            throw EngineError.option(
                "headwind",
                reason:
                    "this Headwind is not an installed one, so it cannot be copied to hosts. Give its path on them, "
                    + "such as headwind=/usr/bin/headwind.")
        }
        let parts = ["bin/headwind", "bin/headwind-client", "libexec/headwind", "share/headwind"]
            .filter { access(root.appending($0).string, F_OK) == 0 }
        try await rsync(
            ["-aR"] + parts.map { "\(root)/./\($0)" } + ["\(host):\(options.folder)/\(copyName)/"],
            to: "copy headwind to \(host)")
    }

    @discardableResult
    func ssh(_ host: String, _ command: String, to attempted: String) async throws -> String {
        try await context.programs.output(
            of: "ssh", options.words + ["--", host, command], to: attempted, hint: Self.hint)
    }

    private func rsync(_ words: [String], to attempted: String) async throws {
        _ = try await context.programs.output(
            of: "rsync", ["-e", options.command] + words, isLong: true, to: attempted, hint: Self.hint)
    }
}
