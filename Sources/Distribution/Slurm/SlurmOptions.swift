/// The options of Slurm, from `--engine-option`: arguments of sbatch(1), and how many shards run at once.
struct SlurmOptions: Hashable, Sendable {
    /// Options of sbatch, such as `--mem=4G`.
    var words: [String] = []
    /// The most shards that run at once; nil: as many as the site allows.
    var atOnce: Int?

    /// The options of sbatch that Headwind sets itself.
    private static let own: Set<String> = [
        "array", "chdir", "error", "export-file", "input", "job-name", "no-requeue", "open-mode", "output", "parsable",
        "quiet",
        "requeue", "test-only", "wait", "wrap",
    ]

    /// Reads options such as `mem=4G` or `exclusive`, with or without `--`; throws ``EngineError/option(_:reason:)``.
    init(_ texts: [String]) throws {
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0].hasPrefix("--") ? parts[0].dropFirst(2) : parts[0])
            let value = parts.count > 1 ? String(parts[1]) : nil
            guard name.first?.isLetter == true, name.allSatisfy({ $0.isPlain(or: "-") }) else {
                throw EngineError.option(
                    text, reason: "it is not an option. Write a long option of sbatch, such as mem=4G, or at-once=4.")
            }
            if name == "at-once" {
                guard let value, let count = Int(value), (1...10_000).contains(count) else {
                    throw EngineError.option(text, reason: "give the number of shards at once, from 1 to 10000.")
                }
                atOnce = count
                continue
            }
            guard !Self.own.contains(name) else {
                throw EngineError.option(text, reason: "Headwind sets this option itself. Leave it out.")
            }
            words.append("--" + name + (value.map { "=" + $0 } ?? ""))
        }
    }
}
