import FoundationEssentials
import Glibc
import LinuxSupport
import ResultFiles
package import SystemPackage
import Wording

/// Runs shards as Indexed Jobs of Kubernetes, with kubectl.
///
/// A pod with a result, whatever its status, waits until it is fetched. The job restarts pods that are lost or that end
/// without a result.
package actor KubernetesEngine: Engine {
    let context: EngineContext
    let options: KubernetesOptions
    private var heard: (states: [Int: ShardState], at: ContinuousClock.Instant)?
    /// The running pods, by the place of their results here.
    private var pods: [FilePath: String] = [:]

    private static let pause = Duration.seconds(5)
    private static let hint = "Install kubectl, or use a machine that has it."

    /// Throws ``EngineError`` for options that are wrong.
    package init(_ context: EngineContext) throws {
        self.context = context
        options = try KubernetesOptions(context.plan.options)
    }

    private func kubectl(_ words: [String], input: FilePath? = nil, to attempted: String) async throws -> String {
        try await context.programs.output(
            of: "kubectl", options.words + words, input: input, to: attempted, hint: Self.hint)
    }

    package func submit(_ submission: Submission) async throws -> [String] {
        if let results = options.results, let shard = submission.shards.first(where: { results.pairs[$0] == nil }) {
            throw EngineError.option("results-urls", reason: "its file has no line for shard \(shard).")
        }
        let manifest = try manifest(submission)
        let file = try context.write(manifest.text, as: "kubernetes-\(submission.number).json")
        do {
            if let secret = manifest.secret { try await apply(secret: secret) }
            // If another coordinator has applied it already, nothing changes.
            _ = try await kubectl(["apply", "--filename=-"], input: file, to: "start the job")
        } catch let error as EngineError {
            if case .failed = error { throw EngineError.unsure(error) }
            throw error
        }
        heard = nil
        return [manifest.name]
    }

    /// Sends the cluster a Secret with the addresses, which are stored nowhere else.
    private func apply(secret: String) async throws {
        let file = try context.write(secret, as: "kubernetes.secret")
        defer { unlink(file.string) }
        _ = try await kubectl(["apply", "--filename=-"], input: file, to: "give the job the addresses of results")
    }

    package func states(of submissions: [Submission]) async throws -> [Int: ShardState] {
        if let heard, heard.at.duration(to: .now) < Self.pause { return heard.states }
        var states: [Int: ShardState] = [:]
        for submission in submissions {
            guard let job = submission.jobs?.first else { continue }
            let text = try await kubectl(
                ["get", "pods", "--selector=batch.kubernetes.io/job-name=\(job)", "--output=json"],
                to: "list the pods")
            let pods: KubernetesPods
            do { pods = try KubernetesPods(json: text) } catch {
                throw EngineError.failed(command: "kubectl", attempted: "read the list of pods", said: "\(error)")
            }
            for (index, shard) in submission.shards.enumerated()
            where context.isNeeded(shard, submission, of: submissions) {
                guard let (pod, tries) = pods.newest(of: index) else {
                    states[shard] = .waiting(nil)
                    continue
                }
                self.pods[context.places.part(shard, of: submission)] = pod.isRunning ? pod.metadata.name : nil
                states[shard] = try await state(of: shard, pod, tries)
            }
        }
        heard = (states, .now)
        return states
    }

    private func state(of shard: Int, _ pod: KubernetesPods.Pod, _ tries: Int) async throws -> ShardState {
        let node = pod.spec?.nodeName
        if let end = pod.end ?? (pod.status?.phase == "Failed" ? .init(exitCode: 137, reason: pod.status?.reason) : nil)
        {
            if end.reason == "OOMKilled" {
                return .stopped("pod \(pod.metadata.name) used more memory than its limit; raise it with memory=MORE")
            }
            await log(shard, pod.metadata.name)
            if end.exitCode == 0 || KubernetesManifest.finalStatuses.contains(end.exitCode) {
                return .ended(status: end.exitCode == KubernetesManifest.otherStatus ? 75 : end.exitCode)
            }
            guard pod.isDisrupted || tries < KubernetesManifest.mostTries else {
                return .stopped("\(tries) pods have ended without a result, the last with status \(end.exitCode)")
            }
            return .waiting("pod \(pod.metadata.name) ended with status \(end.exitCode), and another one is started")
        }
        guard pod.isRunning else { return .waiting(pod.waitsFor) }
        await log(shard, pod.metadata.name)
        guard pod.isReady else { return .running(machine: node) }
        let text = try await kubectl(
            ["exec", pod.metadata.name, "--container=shard", "--", "cat", "/work/exit"], to: "read a shard's status")
        return Int32(text.trimmed).map { .ended(status: $0) } ?? .running(machine: node)
    }

    /// Copies the output of a shard into its log, for its progress.
    private func log(_ shard: Int, _ pod: String) async {
        guard let text = try? await kubectl(["logs", pod, "--container=shard"], to: "read a shard's log") else {
            return
        }
        try? AtomicFile.write(text.utf8, to: context.places.log(shard))
    }

    package func cancel(_ submissions: [Submission]) async -> Bool {
        var isOver = true
        for submission in submissions {
            let parts = submission.shards.map { ($0, context.places.part($0, of: submission)) }
            // Partial results are deleted with their pods, so they are fetched first.
            for (shard, part) in parts { _ = try? await copy(shard, to: part) }
            do {
                _ = try await kubectl(
                    [
                        "delete", "job,configmap,secret", KubernetesManifest.name(context.plan, submission),
                        "--cascade=foreground", "--ignore-not-found", "--timeout=50s",
                    ],
                    to: "delete the job")
                for (_, part) in parts { pods[part] = nil }
            } catch {
                context.note("\(error)")
                isOver = false
            }
        }
        return isOver
    }

    package func collect(_ shard: Int, of submission: Submission) async throws -> FilePath? {
        let place = context.places.part(shard, of: submission)
        guard let part = try await copy(shard, to: place) else { return nil }
        if let pod = pods.removeValue(forKey: place) {
            // A pod that does not hear of it waits for an hour.
            _ = try? await kubectl(
                ["exec", pod, "--container=shard", "--", "touch", "/work/fetched"],
                to: "tell a pod that its result has arrived")
        }
        return part
    }

    /// Copies a result, whole or partial, and returns its folder; nil if there is none.
    private func copy(_ shard: Int, to part: FilePath) async throws -> FilePath? {
        let earlier = part.isFolder ? part : nil
        if let address = options.results?.pairs[shard]?.get {
            return if let earlier { earlier } else { try await fetch(shard, from: address, to: part) }
        }
        // The result of a pod goes with it.
        guard let pod = pods[part] else { return earlier }
        let new = FilePath(part.string + ".new")
        try? FileManager.default.removeItem(atPath: new.string)
        let answer = try await context.programs.runLong(
            "kubectl", options.words + ["cp", "--container=shard", "\(pod):/work/result", new.string])
        try answer.checked("kubectl", to: "fetch the result of shard \(shard)")
        guard new.isFolder else { return earlier }
        try? FileManager.default.removeItem(atPath: part.string)
        guard rename(new.string, part.string) == 0 else {
            throw EngineError.file(part, reason: "could not move it there: \(Errno(rawValue: errno)).")
        }
        return part
    }

    /// Fetches a result from the object store; nil if there is none.
    private func fetch(_ shard: Int, from address: String, to part: FilePath) async throws -> FilePath? {
        let (new, archive) = (FilePath(part.string + ".new"), FilePath(part.string + ".tar.gz"))
        let file = try context.write(ResultAddresses.configuration(address), as: "kubernetes.secret")
        defer { for path in [file, archive] { unlink(path.string) } }
        let answer = try await context.programs.runLong(
            "curl",
            [
                "--fail", "--silent", "--show-error", "--retry", "5", "--location", "--max-filesize", "16G", "--output",
                archive.string, "--config", file.string,
            ])
        // 22: the store has no such object (404), or denies access (403).
        if answer.status == 22 { return nil }
        guard answer.status == 0 else {
            throw EngineError.failed(
                command: "curl", attempted: "fetch the result of shard \(shard)",
                said: answer.reason.replacing(address, with: "ADDRESS"))
        }
        try? FileManager.default.removeItem(atPath: new.string)
        try? FileManager.default.createDirectory(atPath: new.string, withIntermediateDirectories: true)
        let unpacked = try await context.programs.runLong(
            "tar", ["-xzf", archive.string, "-C", new.string, "--no-same-owner", "--no-same-permissions"])
        let result = new.appending("result")
        guard unpacked.status == 0, result.isFolder, rename(result.string, part.string) == 0 else {
            throw EngineError.failed(
                command: "tar", attempted: "unpack the result of shard \(shard)", said: unpacked.reason)
        }
        try? FileManager.default.removeItem(atPath: new.string)
        return part
    }
}
