import Results

extension AskedScenario {
    /// The same with a budget of memory above what the client took at a time in the control, where the check asks for one.
    ///
    /// What a runtime takes by itself says nothing about how a client treats a large pack. The budget stands in the text, too,
    /// so that a bundle has it.
    package func limitingMemory(over control: Int64) -> AskedScenario {
        guard let more = check.memoryOverControl, var scenario else { return self }
        let (key, text) = ("memory_peak", "max <= \(min(control, .max - more) + more) B")
        guard let budget = try? Budget(key: key, text: text) else { return self }
        scenario.cells = scenario.cells.map { cell in
            var cell = cell
            cell.budgets.append(CellBudget(budget))
            cell.source = cell.source?.adding(key, .made(text), to: "budgets")
            return cell
        }
        var asked = self
        asked.scenario = scenario
        return asked
    }
}

extension YAMLNode {
    /// The same mapping with an entry in one of its mappings, which is made where it is not there.
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
