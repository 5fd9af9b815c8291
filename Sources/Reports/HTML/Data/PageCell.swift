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
            json.add("links", list: LinkRow.rows(of: cell)) { $0.link($1) }
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

    private mutating func link(_ row: LinkRow) {
        object { json in
            json.add("name", row.name)
            json.add("unit", row.unit.rawValue)
            json.add("set", row.set)
            json.add("measured", row.measured)
            json.add("ok", row.isWithinTolerance)
            json.add("text", row.text)
            json.add("ratio", row.toleranceRatio)
            json.add("floor", row.toleranceFloor)
            json.add("method", row.method)
            json.key("values")
            json.list(row.values) { $0.optional($1?.forPeople) }
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

/// One property of the link, over all attempts that count.
struct LinkRow {
    var name: String
    var unit: MetricUnit
    var set: Double?
    /// The median of the measured values.
    var measured: Double?
    var isWithinTolerance: Bool?
    var text: String
    var toleranceRatio: Double
    var toleranceFloor: Double
    var method: String
    var values: [Double?]

    /// The rows in the order in which they were measured.
    static func rows(of cell: CellResult) -> [LinkRow] {
        var order: [String] = []
        var groups: [String: [LinkMeasurement]] = [:]
        for measurement in cell.countedAttempts.flatMap(\.link) {
            let name = [measurement.direction?.rawValue, measurement.property.rawValue].compactMap { $0 }.joined(
                separator: " ")
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(measurement)
        }
        return order.compactMap { name in groups[name].flatMap { LinkRow(name, $0) } }
    }

    private init?(_ name: String, _ group: [LinkMeasurement]) {
        guard var middle = group.first, group.contains(where: { $0.set != nil || $0.measured != nil }) else {
            return nil
        }
        let off = group.first { $0.isWithinTolerance == false }
        middle.measured = Statistics.median(group.compactMap(\.measured))
        self.name = name
        unit = middle.property.unit
        set = middle.set
        measured = middle.measured
        isWithinTolerance = off == nil ? middle.isWithinTolerance : false
        text = (off ?? middle).text
        toleranceRatio = middle.toleranceRatio
        toleranceFloor = middle.toleranceFloor
        method = middle.method
        values = group.map(\.measured)
    }
}
