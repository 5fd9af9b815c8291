import ArgumentParser

/// The value of `--jobs` of `run` and `hunt`: the most cells or attempts at the same time, or `auto`.
struct JobsOption: ExpressibleByArgument {
    /// As many as the machine can run.
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
