package import Documents

extension Cell {
    /// The place of a key's value in the scenario; nil if the file does not have the key, or the cell was not read from
    /// text.
    package func mark(of key: String) -> Mark? { source?[key]?.mark }

    /// Whether the scenario sets no deadline, so that it follows from what is downloaded.
    package var hasDefaultDeadline: Bool { source.map { $0["deadline"] == nil } ?? false }

    /// The shortest deadline of a scenario that sets none.
    static let leastDeadline = Duration.seconds(120)

    /// A deadline for a cell that takes a perfect client `ideal`: above twice that, in tens of seconds, at least 120 s.
    package static func deadline(ideal: Duration) -> Duration {
        max(leastDeadline, .seconds((ideal.components.seconds * 2 / 10 + 1) * 10))
    }
}
