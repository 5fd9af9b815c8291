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
