import Results
import Wording

extension PageJSON {
    /// Everything about a cell except the timelines of its attempts.
    mutating func cell(_ cell: CellResult) {
        add("link", cell.linkText())
        add("why", cell.link.reason)
        add("started", cell.startedAt)
        add("slice", cell.slice)
        add("storage", cell.storage.map { Quantity(Double($0.bytes), .bytes).rounded() + " (\($0.kind.rawValue))" })
        add("planned", cell.plannedAttempts)
        add("maximum", cell.maximumAttempts)
        add("again", cell.retriedInfrastructure)
        if let quarantine = cell.quarantine { self.quarantine(quarantine) }
        add("baseline", cell.baseline?.text)
        add("checks", objects: cell.checks) { $0.check($1, of: cell) }
        add("findings", objects: cell.findings) { $0.finding($1) }
        add("failures", objects: cell.failures) { $0.failure($1, of: cell) }
        add("advice", Array(cell.advice.prefix(CellResult.shownAdvice)))
        add("notes", cell.notes)
        add("replay", cell.replayCommand)
        add("elsewhere", cell.replayElsewhere)
        let links = cell.measurements.filter { $0.contains { $0.set != nil || $0.measured != nil } }
        add("links", objects: links) { $0.link($1) }
        add("attempts", objects: cell.attempts) { $0.attempt($1) }
    }

    mutating func quarantine(_ quarantine: Quarantine) {
        add("quarantine") { json in
            json.add("until", quarantine.until)
            json.add("reason", quarantine.reason)
        }
    }

    /// A failure by its cause, with its checks and findings as indices into the cell's lists.
    private mutating func failure(_ failure: CellFailure, of cell: CellResult) {
        add("says", failure.cause.conclusion)
        add("checks", list: failure.checks.compactMap { cell.checks.firstIndex(of: $0) }) { $0.integer($1) }
        add("findings", list: failure.findings.compactMap { cell.findings.firstIndex(of: $0) }) { $0.integer($1) }
        if let diagnosis = failure.diagnosis { add("bug") { $0.bug(diagnosis, of: cell) } }
    }

    private mutating func bug(_ diagnosis: BugDiagnosis, of cell: CellResult) {
        let row = diagnosis.bug.row
        let same = (cell.diagnoses ?? []).filter { $0.bug == diagnosis.bug }
        add("bug", diagnosis.bug.rawValue)
        add("says", row.sentence)
        add("advice", row.advice)
        add("source", row.source)
        add("detail", diagnosis.detail)
        add("attempt", diagnosis.attempt)
        add("attempts", list: Array(Set(same.map(\.attempt)).sorted().prefix(100))) { $0.integer($1) }
        add("pack", diagnosis.pack)
        add("byte", diagnosis.byte)
        add("seconds", diagnosis.seconds)
        add("t", diagnosis.nanoseconds.map { "\($0)" })
    }

    /// One property of the link over all attempts that count, with the median of the measured values.
    private mutating func link(_ group: [LinkMeasurement]) {
        guard var middle = group.first else { return }
        let off = group.first { $0.isWithinTolerance == false }
        middle.measured = Statistics.median(group.compactMap(\.measured))
        add("name", middle.name)
        add("unit", middle.property.unit.rawValue)
        add("set", middle.set)
        add("measured", middle.measured)
        add("ok", off == nil ? middle.isWithinTolerance : false)
        add("text", (off ?? middle).text)
        add("ratio", middle.toleranceRatio)
        add("floor", middle.toleranceFloor)
        add("method", middle.method)
        key("values")
        list(group.map(\.measured)) { $0.optional($1?.forPeople) }
    }
}

extension BaselineFacts {
    /// `Compared with curl-old, which took turns with it: 7 attempts`.
    fileprivate var text: String {
        let how =
            switch kind {
            case .interleaved: "which took turns with it"
            case .stored: "which was stored" + (madeAt.map { " and measured at \($0)" } ?? "")
            }
        return "Compared with \(name), \(how): \(attempts.counted("attempt"))."
    }
}
