extension Budget {
    /// A regular expression (ECMA-262) that matches the texts allowed under a key of ``keys``.
    ///
    /// The JSON schema of scenarios contains it. It matches every text that ``init(key:text:)`` reads. It also matches
    /// some that the initializer refuses, such as a percentile above the median with a lower limit.
    package static func pattern(key: String) -> String {
        guard let metric = Metric.namedInBudgets.first(where: { $0.rawValue == key }) else { return phrasePattern }
        let isNoiseFree = metric.isNoiseFree
        let comparators = Comparator.allCases.filter { $0 != .equal || isNoiseFree }.map(\.rawValue)
        let statistic = "(min|max|median|each|p[1-9][0-9]?)\\s*(\(comparators.joined(separator: "|")))"
        let value = metric.unit.valuePattern
        let bases = metric.definition.bases.map(\.rawValue).joined(separator: "|")
        let multiple = "[0-9]+(\\.[0-9]+)?\\s*[x×*]\\s*(\(bases))(\\s*\\+\\s*\(value))?"
        return "^\\s*(\(statistic)\(isNoiseFree ? "|==" : ""))\\s*(\(value)|\(multiple))\\s*$"
    }

    /// The pattern of the phrases `monotonic`, `ends at 1` and `honest within 2%`.
    private static var phrasePattern: String {
        let phrases = Metric.allCases.compactMap { metric in
            metric.phrase.map { phrase in
                let words = phrase.split(separator: " ").joined(separator: "\\s+")
                return metric.unit == .truth ? words : "\(words)\\s*\(metric.unit.valuePattern)"
            }
        }
        return "^\\s*(\(phrases.joined(separator: "|")))\\s*$"
    }
}
