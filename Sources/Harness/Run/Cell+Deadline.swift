import Evidence
import LinkModel
import ProcessGuard
import Results
import Scenarios

extension Scenarios.Cell {
    /// What no client can beat: the time of a perfect one; nil where it is unknown, or a fault makes the link better.
    func idealTime(_ content: PreparedContent?) -> Duration? {
        guard !linkFaults.contains(where: { if case .profile = $0.effect { true } else { false } }) else { return nil }
        return AttemptSetup(self, content: content).idealTime
    }

    /// The same with a deadline that suffices, where the scenario leaves that to Headwind.
    func withDeadline(_ content: PreparedContent?) -> Self {
        guard hasDefaultDeadline, let ideal = idealTime(content) else { return self }
        var cell = self
        cell.deadline = max(deadline, Self.deadline(ideal: ideal))
        return cell
    }

    /// How long a perfect client takes, where the deadline is shorter than that, and all is to become available.
    func idealBeyondDeadline(_ content: PreparedContent) -> Duration? {
        guard !hasDefaultDeadline, expectations.areAvailable, let ideal = idealTime(content), ideal > deadline else {
            return nil
        }
        return ideal
    }
}

extension Expectations {
    /// Whether everything is to become available.
    var areAvailable: Bool {
        requests.allSatisfy { if case .available = $0.expectation { true } else { false } }
    }
}

extension Run {
    /// How long a perfect client takes for each cell; nil where nobody knows, and where it is more than an hour.
    ///
    /// Builds what the cells serve, and throws where it cannot be built.
    package func idealTimes() async throws -> [Duration?] {
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            let contents = ContentStore(scratch: scratch)
            return try scenarios.flatMap(\.cells).map { $0.idealTime(try contents.prepare($0)) }
        }
    }
}
