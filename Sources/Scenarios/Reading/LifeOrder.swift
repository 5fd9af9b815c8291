/// How far an app's life has come at a step: whether it runs, and which requests it has begun since its launch.
struct LifeOrder {
    /// What is wrong with a step where it stands.
    struct Problem {
        let message: String
        let hint: String
    }

    /// The requests of the app that runs; those that it has ended are not among them for what uses them.
    private(set) var begun: Set<String> = []
    private var ended: Set<String> = []
    private var isFirst = true
    private var isRunning = true
    /// Whether the launches name bundles; nil before the first one.
    private var hasBundles: Bool?

    /// Takes a step; says what is wrong with it, nil where it may stand here.
    mutating func take(_ step: Workload.Step) -> Problem? {
        defer { isFirst = false }
        if isFirst, !step.beginsLife { hasBundles = false }
        switch step {
        case .install:
            guard isFirst else {
                return Problem(message: "an app is installed before all else", hint: "make it the first step")
            }
            isRunning = false
        case .launch(let bundle):
            if isFirst { isRunning = false }
            guard !isRunning else { return Problem(message: "the app runs already", hint: "'quit' it before") }
            if let problem = noteBundle(bundle != nil) { return problem }
            isRunning = true
        case .quit:
            guard isRunning else { return Problem(message: "the app does not run here", hint: "'launch' it before") }
            (isRunning, begun, ended) = (false, [], [])
        case .request(let request):
            guard isRunning else { return Problem(message: "the app does not run here", hint: "'launch' it before") }
            begun.insert(request.id)
        case .end(let id): ended.insert(id)
        case .use(let id) where ended.contains(id):
            return Problem(
                message: "'\(id)' has been ended before this step",
                hint: "what is not pinned may be purged: use it before")
        default: break
        }
        return nil
    }

    /// Every launch names a bundle, or none does; an app that runs from the start has none.
    private mutating func noteBundle(_ isNamed: Bool) -> Problem? {
        guard hasBundles ?? isNamed == isNamed else {
            return Problem(
                message: "one launch names a bundle, and another none",
                hint: "name the bundle of each, the first one too")
        }
        hasBundles = isNamed
        return nil
    }
}

extension Workload.Step {
    /// Whether no app runs before it, where it is the first one.
    fileprivate var beginsLife: Bool {
        switch self {
        case .install, .launch: true
        default: false
        }
    }
}
