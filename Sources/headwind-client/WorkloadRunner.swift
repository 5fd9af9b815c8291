import LinuxSupport
import ResourceLoading

/// Runs a workload's steps on a device.
struct WorkloadRunner: Sendable {
    private struct Running {
        let request: LoaderRequest
        /// nil before the request begins.
        var outcome: Latch<ResourceError?>?
    }

    /// The result of the steps so far.
    private struct Progress {
        /// The requests of the running app.
        var running: [String: Running] = [:]
        /// All requests; the caller releases them.
        var requests: [LoaderRequest] = []
        var isGood = true
    }

    let device: Device
    let progress: ProgressWatch

    /// Runs every step, then waits for the requests that are still in progress.
    ///
    /// `isGood` is true if all became available and every call was in order. The caller releases the requests. If an
    /// install or update fails, it takes no further steps. Throws if the store cannot be used.
    ///
    /// Cancelling the task skips the remaining steps. Closing the device calls back the waiting requests.
    func run(_ steps: [Workload.Step]) async throws -> (isGood: Bool, requests: [LoaderRequest]) {
        var state = Progress()
        for step in steps {
            if Task.isCancelled { break }
            do {
                guard try await take(step, &state) else { break }
            } catch is RequestMisuse {
                // An event has reported the misuse. An app would have ended here; the remaining steps only show more.
                state.isGood = false
            } catch is CancellationError {
                break
            }
        }
        await settle(&state)
        return (state.isGood && !Task.isCancelled, state.requests)
    }

    /// Waits until all requests are called back.
    private func settle(_ state: inout Progress) async {
        for request in state.running.values where await request.outcome?.value != nil { state.isGood = false }
    }

    /// Takes a step; false if the app cannot continue.
    private func take(_ step: Workload.Step, _ state: inout Progress) async throws -> Bool {
        var isThere = true
        switch step {
        case .install: isThere = try await device.install()
        case .launch(let bundle): try await device.launch(bundle: bundle)
        case .quit:
            isThere = try await device.quit()
            await settle(&state)
            state.running = [:]
        case .update(let manifest, let tagTable):
            isThere = try await device.update(manifest: manifest, tagTable: .init(tagTable))
        case .buy(let tags): await device.buy(tags)
        case .remove(let packs): state.isGood = try await device.remove(packs) && state.isGood
        case .radio(let radio): await device.setRadio(radio)
        case .preserve(let tags, let priority):
            let loader = try await device.open()
            for tag in tags { loader.store.setPreservation(priority, of: tag) }
            await device.tell(.preserve) { ($0.tags, $0.priority) = (tags, .normal(priority)) }
        case .press(let pressure): try await device.press(pressure)
        case .sleep(let time): try? await Task.sleep(for: time)
        default: try await run(step, &state)
        }
        state.isGood = state.isGood && isThere
        return isThere
    }

    private func run(_ step: Workload.Step, _ state: inout Progress) async throws {
        switch step {
        case .request(let id, let tags, let priority, let isBackground, let isConditional):
            let loader = try await device.open()
            let request = LoaderRequest(id: id, tags: Set(tags), priority: priority, loader: loader)
            state.requests.append(request)
            state.running[id] = Running(request: request)
            if isConditional {
                try await check(id, &state.running)
            } else {
                try await begin(id, isBackground, &state.running)
            }
        case .begin(let id, let isBackground): try await begin(id, isBackground, &state.running)
        case .use(let id): if let request = state.running[id] { await use(id, request) }
        default: if let id = step.called, let request = state.running[id] { try await call(step, id, request) }
        }
    }

    /// Applies a step to an earlier request.
    private func call(_ step: Workload.Step, _ id: String, _ running: Running) async throws(RequestMisuse) {
        let hasBegun = running.outcome != nil
        switch step {
        case .end(_, let waits):
            if waits { _ = await running.outcome?.value }
            try running.request.end()
        case .cancel(_, let after):
            try? await Task.sleep(for: after)
            running.request.cancel()
        case .cancelAt(_, let fraction):
            // A request that has not begun makes no progress.
            if hasBegun { await progress.wait(for: id, toReach: fraction) }
            running.request.cancel()
        case .pause(_, let fraction):
            if let fraction, hasBegun { await progress.wait(for: id, toReach: fraction) }
            running.request.setPaused { true }
        case .resume: running.request.setPaused { false }
        case .setPriority(_, let priority): running.request.setPriority(priority)
        case .wait: _ = await running.outcome?.value
        default: break
        }
    }

    /// Waits until the packs are available, and reports how long it waited.
    private func use(_ id: String, _ running: Running) async {
        let start = MonotonicClock.now
        await device.tell(.use) { $0.id = id }
        guard let outcome = running.outcome, await outcome.value == nil else { return }
        let (packs, waited) = (running.request.packs, Double(MonotonicClock.now - start) / 1e9)
        await device.tell(.used) { ($0.id, $0.packs, $0.waited) = (id, packs, waited) }
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
