package import Results

extension AskedScenario {
    /// The metrics that are compared with the control, each with the budget that follows from the control's value.
    private var limits: [(metric: Metric, text: (Double) -> String)] {
        var limits: [(Metric, (Double) -> String)] = []
        if let more = check.memoryOverControl {
            limits.append((.memoryPeak, { control in "max <= \(Int64(min(control, 1e18)) + min(more, 1 << 60)) B" }))
        }
        // A busy machine takes up to twice as long for the same work, when two threads share a core.
        if let more = check.cpuOverControl {
            limits.append((.cpuTime, { control in "max <= \(Int64(1000 * min(2 * control + more.seconds, 1e9))) ms" }))
        }
        return limits
    }

    /// The metrics that have to be measured in the control.
    package var controlMetrics: [Metric] { limits.map(\.metric) }

    /// The same scenario with budgets above what the client used in the control, if the check sets such limits.
    ///
    /// What a runtime uses by itself says nothing about how a client treats a pack. The budgets are added to the text
    /// as well, so that a bundle has them.
    package func limited(over control: [Metric: Double]) -> AskedScenario {
        var asked = self
        for (metric, text) in limits {
            guard let value = control[metric], let budget = try? Budget(key: metric.rawValue, text: text(value)) else {
                continue
            }
            asked.scenario?.limit(by: budget)
        }
        return asked
    }
}

extension Scenario {
    fileprivate mutating func limit(by budget: Budget) {
        cells = cells.changingEach { cell in
            cell.budgets.append(CellBudget(budget: budget))
            cell.source = cell.source?.adding(budget.key, .made("\(budget)"), to: "budgets")
        }
    }
}

extension YAMLNode {
    /// The same mapping with an entry added to one of its inner mappings, which is created if it is missing.
    fileprivate func adding(_ key: String, _ value: YAMLNode, to place: String) -> YAMLNode {
        guard case .mapping(var entries) = content else { return self }
        let entry = Entry(key: key, keyMark: mark, value: value)
        if let index = entries.firstIndex(where: { $0.key == place }),
            case .mapping(let inner) = entries[index].value.content
        {
            entries[index].value.content = .mapping(inner.filter { $0.key != key } + [entry])
        } else {
            entries.append(Entry(key: place, keyMark: mark, value: YAMLNode(mark: mark, content: .mapping([entry]))))
        }
        return YAMLNode(mark: mark, content: .mapping(entries))
    }
}
