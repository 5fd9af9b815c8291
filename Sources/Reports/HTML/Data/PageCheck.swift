import Results

extension PageJSON {
    mutating func check(_ check: CheckResult, of cell: CellResult) {
        add("kind", check.kind.rawValue)
        add("name", check.name)
        add("asked", check.asked)
        add("v", check.verdict.rawValue)
        add("says", check.sentence)
        add("gating", check.gating?.rawValue)
        if let quarantine = check.quarantine { self.quarantine(quarantine) }
        add("basis", check.basisText)
        add("broken", list: check.brokenIn) { $0.integer($1) }
        if let evidence = check.evidence { add("e") { $0.evidence(evidence) } }
    }

    private mutating func evidence(_ evidence: Evidence) {
        add("metric", evidence.metric.rawValue)
        add("unit", evidence.pageUnit)
        add("statistic", evidence.statistic)
        add("measured", evidence.measured)
        add("lower", evidence.intervalLower)
        add("upper", evidence.intervalUpper)
        add("limit", evidence.limit)
        add("reference", evidence.basisValue)
        add("referenceName", evidence.basis?.rawValue)
        key("values")
        list(evidence.values) { $0.optional($1?.forPeople) }
        // The values of the baseline, and the difference from it.
        add("baseline", list: evidence.baselineValues ?? []) { $0.optional($1?.forPeople) }
        add("shift", evidence.shift)
        add("shiftLower", evidence.shiftLower)
        add("shiftUpper", evidence.shiftUpper)
        add("p", evidence.pValue)
        add("adjusted", evidence.adjustedPValue)
        add("improved", evidence.improved)
    }
}

extension Evidence {
    /// The unit of its numbers on a page: binary bytes if the limit is written in them, as in the other reports.
    var pageUnit: String {
        guard let limit, Quantity(limit, unit).isWrittenInBinaryUnits else { return unit.rawValue }
        return "binary_bytes"
    }
}
