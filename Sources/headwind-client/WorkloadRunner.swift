import OnDemandResources

/// Runs a workload's steps on a loader.
struct WorkloadRunner: Sendable {
    private struct Running {
        let request: LoaderRequest
        /// nil before it was begun.
        var outcome: Latch<ResourceError?>?
    }

    let loader: ResourceLoader
    let progress: ProgressWatch

    /// Runs every step, then waits for the requests that are still under way.
    ///
    /// Says whether all were available and every call was in order. The requests are for whoever lets go of them.
    ///
    /// Cancelling the task skips the steps that are left; closing the loader calls back whoever is waited for.
    func run(_ steps: [Workload.Step]) async -> (isGood: Bool, requests: [LoaderRequest]) {
        var running: [String: Running] = [:]
        var isGood = true
        for step in steps {
            if Task.isCancelled { break }
            // The event has told what is wrong, and an app would have ended here: the rest is for who looks on.
            do { try await run(step, &running) } catch { isGood = false }
        }
        isGood = isGood && !Task.isCancelled
        for request in running.values where await request.outcome?.value != nil { isGood = false }
        return (isGood, running.values.map(\.request))
    }

    private func run(_ step: Workload.Step, _ running: inout [String: Running]) async throws(RequestMisuse) {
        switch step {
        case .request(let id, let tags, let priority, let isBackground, let isConditional):
            running[id] = Running(
                request: LoaderRequest(id: id, tags: Set(tags), priority: priority, loader: loader))
            if isConditional { try await check(id, &running) } else { try await begin(id, isBackground, &running) }
        case .begin(let id, let isBackground): try await begin(id, isBackground, &running)
        case .end(let id, let waits):
            if waits { _ = await running[id]?.outcome?.value }
            try running[id]?.request.end()
        case .cancel(let id, let after):
            try? await Task.sleep(for: after)
            running[id]?.request.cancel()
        case .cancelAt(let id, let fraction):
            // One that was not begun never comes further.
            if running[id]?.outcome != nil { await progress.wait(for: id, toReach: fraction) }
            running[id]?.request.cancel()
        case .pause(let id, let fraction):
            if let fraction, running[id]?.outcome != nil { await progress.wait(for: id, toReach: fraction) }
            running[id]?.request.setPaused { true }
        case .resume(let id): running[id]?.request.setPaused { false }
        case .setPriority(let id, let priority): running[id]?.request.setPriority(priority)
        case .wait(let id): _ = await running[id]?.outcome?.value
        case .sleep(let time): try? await Task.sleep(for: time)
        }
    }

    private func begin(
        _ id: String,
        _ isBackground: Bool,
        _ running: inout [String: Running]
    ) async throws(RequestMisuse) {
        let outcome = Latch<ResourceError?>()
        try running[id]?.request.begin { outcome.open($0) }
        running[id]?.outcome = outcome
        if !isBackground { _ = await outcome.value }
    }

    private func check(_ id: String, _ running: inout [String: Running]) async throws(RequestMisuse) {
        let answer = Latch<Bool>()
        try running[id]?.request.conditionallyBegin { answer.open($0) }
        guard await answer.value else { return }
        let outcome = Latch<ResourceError?>()
        outcome.open(nil)
        running[id]?.outcome = outcome
    }
}
