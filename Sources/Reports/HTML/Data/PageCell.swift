import Results

extension PageJSON {
    /// Everything about a cell except the timelines of its attempts.
    mutating func cell(_ cell: CellResult) {
        object { json in
            json.add("link", cell.linkText())
            json.add("why", cell.link.reason)
            json.add("started", cell.startedAt)
            json.add("slice", cell.slice)
            json.add(
                "storage", cell.storage.map { Quantity(Double($0.bytes), .bytes).rounded() + " (\($0.kind.rawValue))" })
            json.add("planned", cell.plannedAttempts)
            json.add("maximum", cell.maximumAttempts)
            json.add("again", cell.retriedInfrastructure)
            if let quarantine = cell.quarantine { json.quarantine(quarantine) }
            json.add("baseline", cell.baseline?.text)
            json.add("checks", list: cell.checks) { $0.check($1, of: cell) }
            json.add("findings", list: cell.findings) { $0.finding($1) }
            json.add("failures", list: cell.failures) { $0.failure($1, of: cell) }
            json.add("advice", Array(cell.advice.prefix(CellResult.shownAdvice)))
            json.add("notes", cell.notes)
            json.add("replay", cell.replayCommand)
            json.add("elsewhere", cell.replayElsewhere)
            let links = cell.measurements.filter { $0.contains { $0.set != nil || $0.measured != nil } }
            json.add("links", list: links) { $0.link($1) }
            json.add("attempts", list: cell.attempts) { $0.attempt($1) }
        }
    }

    mutating func quarantine(_ quarantine: Quarantine) {
        add("quarantine") { json in
            json.add("until", quarantine.until)
            json.add("reason", quarantine.reason)
        }
    }

    /// A failure by its cause, with its checks and findings as indices into the cell's lists.
    private mutating func failure(_ failure: CellFailure, of cell: CellResult) {
        object { json in
            json.add("says", failure.cause.conclusion)
            json.add("checks", list: failure.checks.compactMap { cell.checks.firstIndex(of: $0) }) { $0.integer($1) }
            json.add("findings", list: failure.findings.compactMap { cell.findings.firstIndex(of: $0) }) {
                $0.integer($1)
            }
            if let diagnosis = failure.diagnosis {
                json.key("bug")
                json.bug(diagnosis, of: cell)
            }
        }
    }

    private mutating func bug(_ diagnosis: BugDiagnosis, of cell: CellResult) {
        let row = diagnosis.bug.row
        let same = (cell.diagnoses ?? []).filter { $0.bug == diagnosis.bug }
        object { json in
            json.add("bug", diagnosis.bug.rawValue)
            json.add("says", row.sentence)
            json.add("advice", row.advice)
            json.add("source", row.source)
            json.add("detail", diagnosis.detail)
            json.add("attempt", diagnosis.attempt)
            json.add("attempts", list: Array(Set(same.map(\.attempt)).sorted().prefix(100))) { $0.integer($1) }
            json.add("pack", diagnosis.pack)
            json.add("byte", diagnosis.byte)
            json.add("seconds", diagnosis.seconds)
            json.add("t", diagnosis.nanoseconds.map { "\($0)" })
        }
    }

    /// One property of the link over all attempts that count, with the median of the measured values.
    private mutating func link(_ group: [LinkMeasurement]) {
        guard var middle = group.first else { return }
        let off = group.first { $0.isWithinTolerance == false }
        middle.measured = Statistics.median(group.compactMap(\.measured))
        object { json in
            json.add("name", middle.name)
            json.add("unit", middle.property.unit.rawValue)
            json.add("set", middle.set)
            json.add("measured", middle.measured)
            json.add("ok", off == nil ? middle.isWithinTolerance : false)
            json.add("text", (off ?? middle).text)
            json.add("ratio", middle.toleranceRatio)
            json.add("floor", middle.toleranceFloor)
            json.add("method", middle.method)
            json.key("values")
            json.list(group.map(\.measured)) { $0.optional($1?.forPeople) }
        }
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
        return "Compared with \(name), \(how): \(attempts) \(attempts == 1 ? "attempt" : "attempts")."
    }
}
