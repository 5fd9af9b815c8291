/// How long a sandbox has owed a word: an answer, or that a program has ended.
struct SandboxSilence {
    let patience: Duration
    /// When programs were first seen to have ended of which the sandbox has not said so.
    private var ended: [Int: ContinuousClock.Instant] = [:]

    init(patience: Duration) { self.patience = patience }

    /// Whether something has been owed for longer than the patience: since `oldest`, or about one of `processes`.
    mutating func isTooLong(since oldest: ContinuousClock.Instant?, _ processes: [Int: SandboxProcess]) -> Bool {
        ended = ended.filter { processes[$0.key] != nil }
        for (number, process) in processes where ended[number] == nil && process.hasEnded { ended[number] = .now }
        guard let since = (ended.values + [oldest].compactMap { $0 }).min() else { return false }
        return since.duration(to: .now) > patience
    }
}
