import ArgumentParser

/// What `--jobs` says of `run`: how many go on at once at most, or `auto`.
struct JobsOption: ExpressibleByArgument {
    /// As many as the machine takes.
    static let auto = JobsOption(count: nil)

    /// Nil: ``auto``.
    let count: Int?

    private init(count: Int?) { self.count = count }

    init?(argument: String) {
        guard argument != Self.auto.defaultValueDescription else {
            self = .auto
            return
        }
        guard let count = Int(argument) else { return nil }
        self.count = count
    }

    var defaultValueDescription: String { count.map(String.init) ?? "auto" }
}
