import Results

extension PageJSON {
    /// The run without its cells, for the head of the page.
    ///
    /// `cellsOfShards` has the page's indices of the cells of each merged result. The page of a `check` has the check's
    /// verdict, and the answer to every check.
    mutating func add(run: RunResult, check: ClientReport?, cellsOfShards: [[Int]]) {
        add("tool", run.toolVersion)
        add("started", run.startedAt)
        add("seconds", run.durationSeconds)
        add("seed", run.seed?.description)
        add("command", run.commandText)
        // A result of `report merge` is repeated by the command of each of its runs; any other by one command.
        add("merged", run.shards != nil && run.commandLine.dropFirst().prefix(2) == ["report", "merge"])
        add("verdict", (check?.verdict ?? run.verdict).rawValue)
        add("exit", check?.exitCode ?? run.exitCode)
        add("meaning", check?.exitText() ?? run.exitText())
        add("checked", objects: check?.rows ?? []) { $0.checked($1) }
        add("onInconclusive", run.onInconclusive?.rawValue)
        add("whole", run.isWhole)
        add("planned", run.plannedCells)
        add("unfinished", Array((run.unfinishedCells ?? []).prefix(Self.mostNames)))
        add("unfinishedCount", run.unfinishedCells?.count)
        if let left = run.left {
            add("left", run.leftText)
            add("leftAttempts", left.attempts)
            add("leftCounts") { json in
                json.add("pass", left.count { $0.verdict == .pass })
                json.add("infrastructure", left.count { $0.verdict == .infrastructure })
                json.add("inconclusive", left.count { $0.verdict == .inconclusive })
                json.add("fail", left.count { $0.verdict == .fail })
            }
        }
        add("findings", objects: run.findings) { $0.finding($1) }
        key("host")
        list { $0.hostRows(run.host) }
        add("metrics", objects: Metric.allCases) { $0.definition($1) }
        add("shards", objects: Array(zip(run.shards ?? [], zip(run.shardNames, cellsOfShards)))) { json, shard in
            json.shard(shard.0, name: shard.1.0, cells: shard.1.1)
        }
    }

    private mutating func definition(_ metric: Metric) {
        let definition = metric.definition
        add("name", metric.rawValue)
        add("unit", metric.unit.rawValue)
        add("title", definition.title)
        add("how", definition.measured)
        add("better", definition.better.rawValue)
        add("exact", metric.isNoiseFree)
        add("column", definition.column)
    }

    /// `cells` are the page's indices of its cells.
    private mutating func shard(_ shard: ShardFacts, name: String, cells: [Int]) {
        add("folder", name)
        add("verdict", shard.verdict.rawValue)
        add("cells", shard.cells.count)
        add("of", list: cells) { $0.integer($1) }
        add("tool", shard.toolVersion)
        add("started", shard.startedAt)
        add("seconds", shard.durationSeconds)
        add("command", shard.commandLine.map(\.shellQuoted).joined(separator: " "))
        key("host")
        let own = shard.machine.map { [("name", $0)] } ?? []
        list { $0.hostRows(shard.host, also: own + (shard.lost ?? []).map { ("run again", $0) }) }
    }

    /// The most cells without a verdict that a page names.
    private static let mostNames = 1000

    private mutating func hostRows(_ host: HostFacts, also own: [(String, String)] = []) {
        var rows =
            own + [
                ("system", host.system ?? "unknown"), ("kernel", host.kernel), ("architecture", host.architecture),
                ("processors", host.processorText),
            ]
        if let memory = host.memoryBytes { rows.append(("memory", Quantity(Double(memory), .bytes).rounded())) }
        rows += host.versions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for (name, value) in rows { list([name, value]) { $0.string($1) } }
    }

    mutating func finding(_ finding: Finding) {
        let row = finding.attribution.row
        add("v", row.verdict.rawValue)
        add("name", finding.attribution.rawValue)
        add("text", finding.description)
        add("remedy", row.remedy)
        add("attempt", finding.attempt)
    }
}

extension PageJSON {
    /// What the list and the matrix show of a cell; the rest is in a separate block.
    mutating func row(of cell: CellResult) {
        add("n", cell.name)
        add("s", cell.scenario)
        add("t", cell.titles.first)
        add("p", list: cell.point) { json, place in
            json.list([place.axis, place.value]) { $0.string($1) }
        }
        add("l", cell.link.profile)
        add("b", cell.link.backend)
        add("f", cell.link.fidelity)
        add("v", cell.verdict.rawValue)
        add("g", cell.gating?.rawValue)
        add("d", cell.durationSeconds)
        add("a", cell.countedAttempts.count)
        add("r", cell.attempts.count - cell.countedAttempts.count)
        add("c", cell.checks.count)
        add("k", cell.checks.count { $0.verdict == .pass })
        add("w", cell.worst)
        add("z", cell.severity?.rank)
        add("u", cell.failures.map(\.cause.conclusion))
        add("m", lists: cell.checks.filter { $0.evidence != nil }) { $0.reading($1) }
    }

    /// The answer of a client to a check.
    private mutating func checked(_ row: ClientReport.Row) {
        let shown = PageRow(row)
        add("n", shown.name)
        add("t", shown.title)
        add("v", shown.state.pageName)
        add("w", shown.worst)
        add("u", shown.failures.map(\.conclusion))
        add("h", row.ownAdvice)
    }

    /// A check's name, number, limit, unit and verdict, for the matrix.
    private mutating func reading(_ check: CheckResult) {
        string(check.name)
        optional(check.evidence?.measured?.forPeople)
        optional(check.evidence?.limit?.forPeople)
        string(check.evidence?.pageUnit ?? "")
        string(check.verdict.rawValue)
    }
}

extension ClientReport {
    /// The overall result.
    var verdict: Verdict { exitCode == 0 ? .pass : exitCode == Verdict.fail.exitCode ? .fail : .infrastructure }
}

extension HostFacts {
    /// The number and kind of processors, and how many may be used if fewer.
    fileprivate var processorText: String {
        var text = "\(processors)"
        if let processorModel { text += ", \(processorModel)" }
        if let processorLimit, processorLimit < Double(processors) {
            text += ", limited to \(Quantity(processorLimit, .count).rounded())"
        }
        return text
    }
}
