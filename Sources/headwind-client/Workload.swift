import Documents
import Events
import FoundationEssentials
import ResourceLoading

/// The steps that a client takes.
///
/// `docs/reference/client.md` describes the file format.
struct Workload: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Makes a request and begins it, and waits for its callback unless it runs in the background.
        ///
        /// A conditional request only asks whether all its packs are present, and if so pins them.
        case request(
            id: String, tags: [String], priority: LoadingPriority, isBackground: Bool, isConditional: Bool = false)
        /// Begins an earlier request: a conditional one, or, wrongly, one that has already begun.
        case begin(String, isBackground: Bool)
        /// Ends a request: after its callback, or, wrongly, without waiting for it.
        case end(String, waits: Bool = true)
        /// Cancels a request after a delay.
        case cancel(String, after: Duration)
        /// Cancels a request once its progress reaches `fraction`, 0 to 1.
        case cancelAt(String, fraction: Double)
        /// Pauses a request: at once if `fraction` is nil, or once its progress reaches it, 0 to 1.
        case pause(String, fraction: Double?)
        /// Resumes a paused request.
        case resume(String)
        /// Changes a request's priority.
        case setPriority(String, LoadingPriority)
        /// Waits for a request's callback.
        case wait(String)
        /// Waits for a time.
        case sleep(Duration)
        /// Waits until the packs of a request are available, and uses them.
        case use(String)
        /// Sets the preservation priority of tags, 0 to 1: packs with a higher one are purged later.
        case preserve([String], priority: Double)
        /// Fills storage of the device, or frees packs, as a system does that needs space.
        case press(StoragePressure)
        /// Gives the device another network.
        case radio(LoaderConfiguration.Radio)
        /// Installs the app: fetches its initial tags, and prefetches others from then on.
        case install
        /// Starts the app; `bundle` names it if the device has several.
        case launch(bundle: String?)
        /// Ends the app, and releases all that it holds.
        case quit
        /// Replaces the app by one with this manifest and this tag table.
        case update(manifest: String, tagTable: String?)
        /// Buys the content of tags.
        case buy([String])
        /// Removes packs of Background Assets.
        case remove([String])

        /// The earlier request that the step refers to; nil if it refers to none.
        var called: String? {
            switch self {
            case .begin(let id, _), .end(let id, _), .cancel(let id, _), .cancelAt(let id, _), .wait(let id),
                .pause(let id, _), .resume(let id), .setPriority(let id, _), .use(let id):
                id
            case .request, .sleep, .preserve, .press, .radio, .install, .launch, .quit, .update, .buy, .remove: nil
            }
        }
    }

    var steps: [Step]

    /// Whether a step fills storage of the device.
    var hasFill: Bool { steps.contains { if case .press(.fill) = $0 { true } else { false } } }

    /// One request for these tags: waits for it, and ends it.
    init(tags: [String]) {
        steps = [.request(id: "r1", tags: tags, priority: .normal(0.5), isBackground: false), .end("r1")]
    }

    /// Reads a workload from JSON.
    ///
    /// Throws `WorkloadError` for anything unknown, missing or out of order.
    init(json: [UInt8]) throws(WorkloadError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch let error as WorkloadError {
            throw error
        } catch {
            throw WorkloadError(error.decodingReason(in: Data(json)) + ".")
        }
        try check()
    }

    /// Whether the system's own requests use this name.
    static func isReserved(_ id: String) -> Bool {
        id == "install" || id == "update" || id.hasPrefix("update-") || id.hasPrefix(Device.prefetchPrefix)
    }

    /// Checks each step at its place.
    private func check() throws(WorkloadError) {
        var order = WorkloadOrder(steps)
        for (index, step) in steps.enumerated() {
            if let problem = order.take(step, at: index) { throw WorkloadError("steps[\(index)]: \(problem)") }
        }
        if let problem = order.problemAtTheEnd { throw WorkloadError(problem) }
    }
}

/// A mistake in a workload, and its place.
struct WorkloadError: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Tracks a workload's steps: whether an app runs, which requests it has begun, and which of them are paused.
struct WorkloadOrder {
    /// An app runs from the start, unless the first step installs or launches it.
    private var isRunning: Bool
    /// The requests of the running app, and those of all apps so far.
    private var begun: Set<String> = []
    private var names: Set<String> = []
    /// Requests that run in the background, or have not begun: waiting for one while it is paused never ends.
    private var open: Set<String> = []
    /// The pauses still in force, by request: the share of progress at which each applies, and its step.
    private var pauses: [String: (share: Double, step: Int)] = [:]

    init(_ steps: [Workload.Step]) { isRunning = Self.runsFromTheStart(steps) }

    /// Whether an app runs before the first step.
    static func runsFromTheStart(_ steps: [Workload.Step]) -> Bool {
        switch steps.first {
        case .install, .launch: false
        default: true
        }
    }

    /// Takes the next step; returns what is wrong with it at this place, or nil.
    mutating func take(_ step: Workload.Step, at index: Int) -> String? {
        if let id = step.called {
            guard begun.contains(id) else {
                return "no earlier step begins a request '\(id)'. Begun: \(begun.sorted().joined(separator: ", "))."
            }
            return call(step, id, at: index)
        }
        switch step {
        case .request(let id, let tags, _, let isBackground, let isConditional):
            guard isRunning else { return "the app is not running here: 'launch' it first." }
            guard !Workload.isReserved(id) else { return "'\(id)' is a reserved name; give this one another." }
            guard names.insert(id).inserted else {
                return "a request '\(id)' already exists; give this one a new id."
            }
            guard !tags.isEmpty else { return "a request needs at least one tag." }
            begun.insert(id)
            if isBackground || isConditional { open.insert(id) }
        case .install where index > 0: return "'install' must be the first step."
        case .launch:
            guard !isRunning else { return "the app is already running: 'quit' it first." }
            isRunning = true
        case .quit:
            guard isRunning else { return "the app is not running here." }
            (isRunning, begun, open, pauses) = (false, [], [], [:])
        default: break
        }
        return nil
    }

    /// Takes a step that refers to an earlier request.
    ///
    /// A cancel at a fraction ends a pause only if the request reaches that fraction before it pauses. A complete
    /// request cannot be paused.
    private mutating func call(_ step: Workload.Step, _ id: String, at index: Int) -> String? {
        switch step {
        case .pause(_, let share) where (share ?? 0) < 1 && open.contains(id): pauses[id] = (share ?? 0, index)
        case .resume, .cancel: pauses[id] = nil
        case .cancelAt(_, let share) where share <= pauses[id]?.share ?? 0: pauses[id] = nil
        case .begin(_, let isBackground):
            if isBackground { open.insert(id) } else { return endlessWait(for: id) }
        case .wait, .use, .end(_, true): return endlessWait(for: id)
        default: break
        }
        return nil
    }

    /// What is wrong with waiting for this request here; nil if the wait ends.
    private func endlessWait(for id: String) -> String? {
        pauses[id].map { pause in
            "this step waits for '\(id)', which steps[\(pause.step)] paused: add {\"resume\": \"\(id)\"} in between."
        }
    }

    /// What is wrong at the end of the steps, when the client waits for every callback; nil if each arrives.
    var problemAtTheEnd: String? {
        pauses.min { $0.value.step < $1.value.step }.map { id, pause in
            "steps[\(pause.step)]: '\(id)' stays paused, but the client waits for its callback after the last step: "
                + "add {\"resume\": \"\(id)\"} or {\"cancel\": \"\(id)\"}."
        }
    }
}
