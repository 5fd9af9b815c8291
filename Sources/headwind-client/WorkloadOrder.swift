/// Whether an app runs while a workload's steps are taken, and which requests it has begun.
struct WorkloadOrder {
    /// An app runs from the start, unless the first step installs or launches it.
    private var isRunning: Bool
    private var begun: Set<String> = []

    init(_ steps: [Workload.Step]) { isRunning = Self.runsFromTheStart(steps) }

    /// Whether an app runs before the first step.
    static func runsFromTheStart(_ steps: [Workload.Step]) -> Bool {
        switch steps.first {
        case .install, .launch: false
        default: true
        }
    }

    /// Takes the next step; says what is wrong with it there, nil where it may stand.
    mutating func take(_ step: Workload.Step, at index: Int) -> String? {
        if let id = step.called {
            guard begun.contains(id) else {
                return "no request '\(id)' was begun before. Begun: \(begun.sorted().joined(separator: ", "))."
            }
            return nil
        }
        switch step {
        case .request(let id, _, _, _, _):
            guard isRunning else { return "the app does not run here: 'launch' it first." }
            begun.insert(id)
        case .install where index > 0: return "an app is installed first of all."
        case .launch:
            guard !isRunning else { return "the app runs already: 'quit' it first." }
            isRunning = true
        case .quit:
            guard isRunning else { return "the app does not run here." }
            (isRunning, begun) = (false, [])
        default: break
        }
        return nil
    }
}
