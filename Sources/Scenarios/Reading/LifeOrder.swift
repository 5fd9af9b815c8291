/// The state of an app's life at a step: whether it runs, and which requests it has begun since its launch.
struct LifeOrder {
    /// Why a step cannot be at its place.
    typealias Problem = (message: String, hint: String)

    /// The requests that the running app has begun; steps that use a request do not accept those in `ended`.
    private(set) var begun: Set<String> = []
    private var ended: Set<String> = []
    private var isFirst = true
    private var isRunning = true
    /// Whether the launches name bundles; nil before the first one.
    private var hasBundles: Bool?

    /// Applies a step; returns why it cannot be here, or nil if it can.
    mutating func take(_ step: Workload.Step) -> Problem? {
        defer { isFirst = false }
        if isFirst, !step.beginsLife { hasBundles = false }
        switch step {
        case .install:
            guard isFirst else { return ("'install' must be the first step", "move it to the top") }
            isRunning = false
        case .launch(let bundle):
            if isFirst { isRunning = false }
            guard !isRunning else { return ("the app is already running", "'quit' it first") }
            if let problem = noteBundle(bundle != nil) { return problem }
            isRunning = true
        case .quit:
            guard isRunning else { return ("the app is not running here", "'launch' it first") }
            (isRunning, begun, ended) = (false, [], [])
        case .request(let request):
            guard isRunning else { return ("the app is not running here", "'launch' it first") }
            begun.insert(request.id)
        case .end(let id): ended.insert(id)
        case .use(let id) where ended.contains(id):
            return ("'\(id)' ended before this step", "its packs may be purged after 'end': use it before")
        default: break
        }
        return nil
    }

    /// Checks that every launch names a bundle, or none does; an app that runs from the start has none.
    private mutating func noteBundle(_ isNamed: Bool) -> Problem? {
        guard hasBundles ?? isNamed == isNamed else {
            return (
                "one launch names a bundle, but another does not",
                "name a bundle in every launch, including the first"
            )
        }
        hasBundles = isNamed
        return nil
    }
}

extension Workload.Step {
    /// Whether no app runs before this step if it is the first one.
    fileprivate var beginsLife: Bool {
        switch self {
        case .install, .launch: true
        default: false
        }
    }
}
