import OnDemandResources

/// Runs a workload's steps on a loader.
struct WorkloadRunner: Sendable {
    private struct Running {
        let key: ResourceLoader.RequestKey
        let outcome: Latch<ResourceError?>
    }

    let loader: ResourceLoader
    let progress: ProgressWatch

    /// Runs every step, then waits for the requests that are still under way.
    ///
    /// Says whether all were available.
    ///
    /// Cancelling the task skips the steps that are left; closing the loader calls back whoever is waited for.
    func run(_ steps: [Workload.Step]) async -> Bool {
        var running: [String: Running] = [:]
        for step in steps {
            if Task.isCancelled { break }
            await run(step, &running)
        }
        var isGood = !Task.isCancelled
        for request in running.values where await request.outcome.value != nil { isGood = false }
        return isGood
    }

    private func run(_ step: Workload.Step, _ running: inout [String: Running]) async {
        switch step {
        case .request(let id, let tags, let priority, let isBackground):
            let outcome = Latch<ResourceError?>()
            let key = loader.begin(id: id, tags: Set(tags), priority: priority) { outcome.open($0) }
            running[id] = Running(key: key, outcome: outcome)
            if !isBackground { _ = await outcome.value }
        case .end(let id):
            guard let request = running[id] else { return }
            _ = await request.outcome.value
            loader.end(request.key)
        case .cancel(let id, let after):
            try? await Task.sleep(for: after)
            if let request = running[id] { loader.cancel(request.key) }
        case .cancelAt(let id, let fraction):
            guard let request = running[id] else { return }
            await progress.wait(for: id, toReach: fraction)
            loader.cancel(request.key)
        case .wait(let id): _ = await running[id]?.outcome.value
        case .sleep(let time): try? await Task.sleep(for: time)
        }
    }
}
