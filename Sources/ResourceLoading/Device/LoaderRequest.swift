import Dispatch
package import Events
import Synchronization

/// One request object: a use of tags, good for one use, whose calls must come in Apple's order.
///
/// Safe to use from any thread. Releasing it ends its access; a request that was not called back yet is cancelled.
package final class LoaderRequest: Sendable {
    private struct State {
        var lifecycle = RequestLifecycle.idle
        var priority: LoadingPriority
        var isCancelled = false
        var isPaused = false
        /// nil before the begin and after the end.
        var key: ResourceLoader.RequestKey?
    }

    /// The state that changes.
    ///
    /// A callback keeps this box and not the request: otherwise a request that downloads could not be released.
    private final class Box: Sendable {
        let state: Mutex<State>
        init(_ state: State) { self.state = Mutex(state) }
    }

    /// The queue for finding packs on the disk, which must not block the queue of the app's callbacks.
    private static let checks = DispatchQueue(label: "headwind.conditional-requests")

    /// The name of the request in events and messages.
    package let id: String
    /// The tags, as they were given.
    package let tags: Set<String>
    private let loader: ResourceLoader?
    private let bundle: String
    private let purpose: RequestPurpose
    private let box: Box

    /// A request that has not begun; `bundle` is for messages.
    ///
    /// Without a loader there is no manifest: `begin` is called back with 4994.
    package init(
        id: String,
        tags: Set<String>,
        priority: LoadingPriority = .normal(0.5),
        loader: ResourceLoader?,
        bundle: String = "",
        purpose: RequestPurpose = .use
    ) {
        self.id = id
        self.tags = tags
        self.loader = loader
        self.bundle = bundle
        self.purpose = purpose
        box = Box(State(priority: priority.limited))
    }

    deinit {
        if let key = box.state.withLock({ $0.key }) { loader?.end(key) }
    }

    /// Refuses a call that is out of order, and reports it as an event.
    private func take(_ call: RequestLifecycle.Call, _ state: inout State) throws(RequestMisuse) {
        do { try state.lifecycle.take(call) } catch {
            loader?.queue.emit(.misuse) { ($0.id, $0.rule, $0.message) = (id, error.rawValue, error.description) }
            throw error
        }
    }

    /// Downloads what is missing and pins all of it, then calls back once; after that, even with an error, `end` must
    /// follow.
    ///
    /// With a `refusal` (default: nil) it fetches nothing, and calls back with that error. Throws if the call is out of
    /// order: then nothing is done, and there is no callback.
    package func begin(
        refusal: ResourceError? = nil, completion: @escaping ResourceLoader.Completion
    ) throws(RequestMisuse) {
        let finish: ResourceLoader.Completion = { [box] error in
            box.state.withLock { $0.lifecycle.calledBack(isAvailable: error == nil) }
            completion(error)
        }
        // Under the lock, so that a callback that ends the request finds its key.
        try box.state.withLock { state throws(RequestMisuse) in
            try take(.begin, &state)
            guard let loader else {
                let error = ResourceError.noManifest("No manifest found for the bundle '\(bundle)'.")
                return CompletionQueue.shared.async { finish(error) }
            }
            let key = loader.begin(
                id: id, tags: tags, priority: state.priority, isPaused: state.isPaused, purpose: purpose,
                refusal: refusal, completion: finish)
            state.key = key
            if state.isCancelled { loader.cancel(key) }
        }
    }

    /// Pins all packs if none is missing, without the network; then answers once, on the queue of callbacks.
    ///
    /// After `true`, `end` must follow; after `false` the request may begin. Throws if the call is out of order.
    package func conditionallyBegin(
        answer: @escaping @Sendable (_ isAvailable: Bool) -> Void
    ) throws(RequestMisuse) {
        try box.state.withLock { state throws(RequestMisuse) in try take(.conditionallyBegin, &state) }
        guard let loader else {
            return CompletionQueue.shared.async { [self] in finishCheck(nil, answer) }
        }
        Self.checks.async { [self] in
            let key = loader.beginIfStored(id: id, tags: tags, priority: box.state.withLock { $0.priority })
            loader.queue.emit(.conditional) { ($0.id, $0.tags, $0.available) = (id, tags.sorted(), key != nil) }
            loader.queue.complete { [self] in finishCheck(key, answer) }
        }
    }

    private func finishCheck(_ key: ResourceLoader.RequestKey?, _ answer: (Bool) -> Void) {
        box.state.withLock { state in
            state.key = key
            state.lifecycle.answered(isAvailable: key != nil)
        }
        answer(key != nil)
    }

    /// The packs that the request waits for or pins, sorted; none before `begin` and after `end`.
    package var packs: [String] {
        box.state.withLock { $0.key }.flatMap { loader?.packs(of: $0) } ?? []
    }

    /// Says that the resources are not used any more.
    ///
    /// Throws before the callback, and on the second call.
    package func end() throws(RequestMisuse) {
        let key = try box.state.withLock { state throws(RequestMisuse) in
            try take(.end, &state)
            defer { state.key = nil }
            return state.key
        }
        if let key { loader?.end(key) }
    }

    /// Cancels the request: a callback that is still to come reports 3072, and so does that of a later `begin`.
    package func cancel() {
        box.state.withLock { state in
            state.isCancelled = true
            if let key = state.key { loader?.cancel(key) }
        }
    }

    /// Changes the priority with which the packs are loaded, from now on; 0.5 unless set.
    package func setPriority(_ priority: LoadingPriority) {
        box.state.withLock { state in
            state.priority = priority.limited
            if let key = state.key { loader?.setPriority(priority, of: key) }
        }
    }

    /// Pauses the transfer or resumes it; before `begin` it determines whether the request begins paused.
    ///
    /// `isPaused` is asked under the lock: if two calls meet, the later answer counts.
    package func setPaused(_ isPaused: () -> Bool) {
        box.state.withLock { state in
            state.isPaused = isPaused()
            if let key = state.key { loader?.setPaused(state.isPaused, of: key) }
        }
    }
}
