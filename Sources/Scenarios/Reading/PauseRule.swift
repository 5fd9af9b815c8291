import Documents

/// The rule that each paused request is resumed.
///
/// A request that stays paused has no callback. A client that waits for it hangs through no fault of its own.
struct PauseRule {
    /// The steps, each with its place.
    let steps: [(step: Workload.Step, mark: Mark)]

    /// Notes each pause that is not ended before a step waits for its request.
    ///
    /// After the last step, every callback is waited for. The end of the app ends its requests. A cancel ends a pause
    /// if its share is at most that of the pause. A pause at 100 % has no effect, as the request is complete.
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
