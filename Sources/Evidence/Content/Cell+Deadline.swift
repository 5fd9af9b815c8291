import LinkModel
import Results
package import Scenarios

extension Cell {
    /// The time of a perfect client, which none can beat; nil if it is unknown, or if a fault changes the link's
    /// profile.
    package func idealTime(_ content: PreparedContent?) -> Duration? {
        guard !linkFaults.contains(where: { if case .profile = $0.effect { true } else { false } }) else { return nil }
        return AttemptSetup(self, content: content).idealTime
    }

    /// The cell with a sufficient deadline, if the scenario does not set one.
    package func withDeadline(_ content: PreparedContent?) -> Self {
        guard hasDefaultDeadline, let ideal = idealTime(content) else { return self }
        var cell = self
        cell.deadline = max(deadline, Self.deadline(ideal: ideal))
        return cell
    }

    /// The length of the longest outage that every download meets; nil if there is none.
    ///
    /// Nothing arrives during it, and it begins before everything has arrived.
    fileprivate func certainOutage(_ content: PreparedContent) -> Duration? {
        linkFaults.filter { fault in
            switch fault.effect {
            // One that waits after its moment may begin when everything has arrived.
            case .offline(.silent), .offline(.noRoute): fault.wait == .zero && isCertain(fault.trigger, content)
            case .offline(.refused), .offline(.noName), .profile, .cut, .clientKilled, .deviceFull: false
            }
        }.compactMap(\.duration).max()
    }

    private func isCertain(_ trigger: LinkFault.Trigger, _ content: PreparedContent) -> Bool {
        switch trigger {
        case .time(let time): time == .zero
        case .packShare(let share, _): share.fraction < 0.9
        case .packBytes(let bytes, let pack):
            content.packs(named: pack).map(\.size).reduce(0, +) / 10 * 9 > bytes
        case .bytes(let bytes, .downlink, .any):
            // A command requests one pack. Which of several requests are made may depend on what happened before.
            workload.command?.pack.map { content.packs(named: $0).map(\.size).reduce(0, +) / 10 * 9 > bytes } ?? false
        case .later, .bytes, .client: false
        }
    }
}

extension Scenario {
    /// The problem that the deadline is shorter than a perfect client takes, if all requests must become available.
    package func deadlineProblems(
        of cell: Cell, _ content: PreparedContent, option: String?
    ) -> [Diagnostic] {
        guard !cell.hasDefaultDeadline, cell.expectations.areAvailable, let ideal = cell.idealTime(content),
            ideal > cell.deadline
        else { return [] }
        let seconds = Quantity(ideal.seconds, .seconds).rounded()
        let enough = Cell.deadline(ideal: ideal).text
        return [
            diagnostic(
                "a perfect client takes \(seconds) over this link, and \(option ?? "the deadline") is \(cell.deadline.text)",
                at: cell.mark(of: "deadline") ?? contentMark,
                hint: option.map { "give '\($0) \(enough.filter { $0 != " " })', or leave it out" }
                    ?? "write 'deadline: \(enough)', or leave it out")
        ]
    }

    /// The problem that a limit on a download's time is shorter than an outage of the scenario itself.
    package func budgetProblems(of cell: Cell, _ content: PreparedContent) -> [Diagnostic] {
        guard cell.expectations.areAvailable, let ideal = cell.idealTime(content)?.seconds,
            let outage = cell.certainOutage(content)?.seconds
        else { return [] }
        return cell.budgets.map(\.budget).filter { budget in
            guard budget.metric == .timeToAvailable, budget.comparator.isUpperLimit,
                budget.bound.basis.map({ $0 == .ideal }) ?? true, let limit = budget.bound.limit(basis: ideal)
            else { return false }
            return limit < outage
        }.map { budget in
            let limit = Quantity(budget.bound.limit(basis: ideal) ?? 0, .seconds).rounded()
            let least = Int((ideal + outage).rounded(.up))
            let lasts = Quantity(outage, .seconds).rounded()
            return diagnostic(
                "the limit of \(limit) is shorter than an outage of this scenario, which lasts \(lasts)",
                at: cell.mark(of: "budgets") ?? contentMark,
                hint: "'ideal' ignores faults: write \(least) s or more, "
                    + "such as '1.5 x ideal + \(Int(outage) + 5) s'")
        }
    }
}

extension Expectations {
    /// Whether all requests must become available.
    package var areAvailable: Bool {
        requests.allSatisfy { if case .available = $0.expectation { true } else { false } }
    }
}
