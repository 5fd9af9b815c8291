import Documents

/// A request that stays paused is never called back: a client that waits for it hangs, and no client is to blame.
struct PauseRule {
    /// The steps, and where each stands.
    let steps: [(step: Workload.Step, mark: Mark)]

    /// Notes each pause that nothing ends before its request is waited for, or before the last step, after which every
    /// callback is waited for.
    ///
    /// The end of the app ends its requests. A cancel ends a pause if the request has come that far before it; what is there whole cannot be paused.
    func check(_ problems: Problems) {
        var paused: [String: (share: Double, mark: Mark)] = [:]
        func refuse(_ id: String) {
            guard let pause = paused.removeValue(forKey: id) else { return }
            problems.add(
                "'\(id)' is paused here, but not resumed before a step waits for it", at: pause.mark,
                hint: "add 'resume: \(id)' in between")
        }
        for (step, mark) in steps {
            switch step {
            case .pause(let id, let share) where share < 1: paused[id] = (share, mark)
            case .resume(let id): paused[id] = nil
            case .cancel(let id, let share) where share <= paused[id]?.share ?? 0: paused[id] = nil
            case .wait(let id), .end(let id), .use(let id): refuse(id)
            case .quit, .launch, .update: paused = [:]
            default: break
            }
        }
        for id in paused.keys.sorted() { refuse(id) }
    }
}
