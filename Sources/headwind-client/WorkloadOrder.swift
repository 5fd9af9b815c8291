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
