import Documents
import Events
import FoundationEssentials
import ResourceLoading

/// What a client does, step by step.
///
/// The form is written down in `docs/reference/client.md`.
struct Workload: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Makes a request and begins it, and waits for its callback unless it runs in the background.
        ///
        /// A conditional one only asks whether everything is there, and pins it then.
        case request(
            id: String, tags: [String], priority: LoadingPriority, isBackground: Bool, isConditional: Bool = false)
        /// Begins a request that was made before: one that was asked conditionally, or, wrongly, one that was begun.
        case begin(String, isBackground: Bool)
        /// Ends a request: once it was called back, or, wrongly, without waiting for that.
        case end(String, waits: Bool = true)
        /// Cancels a request, so many seconds from here.
        case cancel(String, after: Duration)
        /// Cancels a request once its progress has come so far, 0 to 1.
        case cancelAt(String, fraction: Double)
        /// Pauses a request: at once, or once its progress has come so far, 0 to 1.
        case pause(String, fraction: Double?)
        /// Goes on with a request that was paused.
        case resume(String)
        /// Changes a request's priority.
        case setPriority(String, LoadingPriority)
        /// Waits for a request's callback.
        case wait(String)
        /// Does nothing for so long.
        case sleep(Duration)
        /// Waits until the app has what a request asked for, and uses it.
        case use(String)
        /// Says how late packs of tags are purged, 0 to 1.
        case preserve([String], priority: Double)
        /// Takes room of the device, or frees packs, as a system does that needs it.
        case press(StoragePressure)
        /// Gives the device another network.
        case radio(LoaderConfiguration.Radio)
        /// Installs the app: fetches its initial tags, and prefetches others from then on.
        case install
        /// Starts the app; `bundle` names it where the device has several.
        case launch(bundle: String?)
        /// Ends the app and whatever it holds.
        case quit
        /// Replaces the app by one with this manifest and this tag table.
        case update(manifest: String, tagTable: String?)
        /// Buys what tags have.
        case buy([String])
        /// Removes packs of Background Assets.
        case remove([String])

        /// The request that the step calls by its name; nil where it begins or calls none.
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

    /// Whether a step takes room of the device.
    var hasFill: Bool { steps.contains { if case .press(.fill) = $0 { true } else { false } } }

    /// One request for these tags, which is waited for and ended.
    init(tags: [String]) {
        steps = [.request(id: "r1", tags: tags, priority: .normal(0.5), isBackground: false), .end("r1")]
    }

    /// Reads a workload from JSON.
    ///
    /// Throws `WorkloadError` for what is not known, missing or out of order.
    init(json: [UInt8]) throws(WorkloadError) {
        do {
            steps = try JSONDecoder().decode(WorkloadFile.self, from: Data(json)).steps.map(\.step)
        } catch let error as WorkloadError {
            throw error
        } catch {
            throw WorkloadError(error.decodingReason(in: Data(json)) + ".")
        }
        try check()
    }

    /// Whether the system's own requests are called so.
    static func isReserved(_ id: String) -> Bool {
        id == "install" || id == "update" || id.hasPrefix("update-") || id.hasPrefix(Device.prefetchPrefix)
    }

    /// Every step names a request that was begun before it and since the last launch, and no name stands for two.
    private func check() throws(WorkloadError) {
        var begun: Set<String> = []
        var order = WorkloadOrder(steps)
        for (index, step) in steps.enumerated() {
            if let problem = order.take(step, at: index) { throw WorkloadError("steps[\(index)]: \(problem)") }
            if case .request(let id, let tags, _, _, _) = step {
                guard !Self.isReserved(id) else {
                    throw WorkloadError(
                        "steps[\(index)]: '\(id)' is a reserved name; give this one another.")
                }
                guard begun.insert(id).inserted else {
                    throw WorkloadError("steps[\(index)]: a request '\(id)' already exists; give this one a new id.")
                }
                guard !tags.isEmpty else { throw WorkloadError("steps[\(index)]: a request needs at least one tag.") }
            }
        }
        if let problem = order.problemAtTheEnd { throw WorkloadError(problem) }
    }
}

/// What is wrong with a workload, and where.
struct WorkloadError: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
