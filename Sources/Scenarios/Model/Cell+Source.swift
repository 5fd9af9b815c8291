package import Documents

extension Cell {
    /// Where the value of a key of the scenario stands; nil where the file has none, and for a cell that no text was read for.
    package func mark(of key: String) -> Mark? { source?[key]?.mark }

    /// Whether the scenario says nothing of the deadline, which then follows from what is downloaded.
    package var hasDefaultDeadline: Bool { source.map { $0["deadline"] == nil } ?? false }

    /// The least deadline of a scenario that says nothing of it.
    static let leastDeadline = Duration.seconds(120)

    /// A deadline that suffices where a perfect client takes so long: twice that, in whole tens of seconds, and 120 s at least.
    package static func deadline(ideal: Duration) -> Duration {
        max(leastDeadline, .seconds((ideal.components.seconds * 2 / 10 + 1) * 10))
    }
}
