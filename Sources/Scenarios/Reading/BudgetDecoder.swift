import Results
import Wording

/// Reads `budgets`: for each metric one text or a list of texts, which may differ between fidelities.
struct BudgetDecoder {
    let attempts: Attempts
    /// Whether the run has a baseline to compare budgets with.
    let hasBaseline: Bool

    /// The fidelities that may have budgets of their own.
    private static let fidelities: [Link.Fidelity] = [.packet, .modelled]

    var decoder: FieldDecoder<[CellBudget]> {
        .mapping("the budgets") { fields in
            fields.everyEntry(among: Budget.keys) { several(whole($0)).schema() }.flatMap { entry in
                guard Budget.keys.contains(entry.key) else {
                    let hint = NearestName.hint(for: entry.key, in: Budget.keys)
                    fields.problems.add(
                        "there is no metric '\(entry.key.abbreviated)'", at: entry.keyMark,
                        hint: hint ?? "the metrics are \(Budget.keys.joined(separator: ", "))")
                    return [CellBudget]()
                }
                return several(whole(entry.key)).value(of: entry.value, fields.problems) ?? []
            }
        }
    }

    /// One item, or a list of them.
    private func several(_ item: FieldDecoder<[CellBudget]>) -> FieldDecoder<[CellBudget]> {
        item.orList("a list of budgets").map { Array($0.joined()) }
    }

    /// A budget, one for each fidelity, or one that decides no verdict.
    private func whole(_ key: String) -> FieldDecoder<[CellBudget]> {
        let perFidelity = FieldDecoder<[CellBudget]>.mapping("the budgets of each fidelity") { apart(key, $0) }
        let detailed = FieldDecoder<[CellBudget]>.mapping("a budget with its limit") { self.detailed(key, $0) }
        return .either(
            single(key),
            .oneOf(perFidelity.expected, [perFidelity, detailed]) { node in
                Self.fidelities.contains { node[$0.rawValue] != nil } ? 0 : 1
            })
    }

    /// `{limit: max <= 1 s, from: first-packet}`; with `advisory` or an active `quarantine`, it decides no verdict.
    private func detailed(_ key: String, _ fields: Fields) -> [CellBudget]? {
        let limit = fields.required(
            "limit",
            several(.either(single(key), .mapping("the budgets of each fidelity") { apart(key, $0) })))
        let isAdvisory = fields.value("advisory", .flag)
        let quarantine = fields.value("quarantine", QuarantineDecoder.decoder)
        let origin: Budget.Origin? = fields.value("from", .choice("the moment at which times start"))
        if origin != nil, Metric(rawValue: key)?.definition.isFromBegin != true {
            let counted = Metric.allCases.filter(\.definition.isFromBegin).map(\.rawValue).joined(separator: ", ")
            fields.refuse("from", "'from' does not apply to \(key)", hint: "it applies to \(counted)")
        }
        if isAdvisory == true, quarantine != nil {
            fields.refuse("quarantine", "an advisory budget needs no quarantine", hint: "leave one of the two out")
        }
        return limit?.changingEach { budget in
            if isAdvisory == true { budget.budget.gating = .advisory }
            budget.budget.origin = origin
            if let quarantine { budget.budget.gating = .quarantined(quarantine) }
        }
    }

    private func single(_ key: String) -> FieldDecoder<[CellBudget]> {
        let expected = "a budget such as 'max <= 1 s'"
        return FieldDecoder(expected, schema: { SchemaNode.text(expected, pattern: Budget.pattern(key: key)) }) {
            node, problems in
            budget(key, node, problems).map { [CellBudget(budget: $0)] }
        }
    }

    /// `{packet: max <= 1 s, modelled: max <= 2 s}`; both keys are required, so that no fidelity lacks a budget.
    private func apart(_ key: String, _ fields: Fields) -> [CellBudget]? {
        var budgets: [CellBudget] = []
        for fidelity in Self.fidelities {
            guard let found = fields.required(fidelity.rawValue, several(single(key))) else { continue }
            for budget in found.map(\.budget) {
                if budget.metric.definition.isClientsDoing {
                    fields.refuse(
                        fidelity.rawValue,
                        "this metric depends only on the client, so it is the same over packets and over a model",
                        hint: "write one budget for both")
                }
                budgets.append(CellBudget(budget: budget, fidelity: fidelity))
            }
        }
        return budgets
    }

    private func budget(_ key: String, _ node: YAMLNode, _ problems: Problems) -> Budget? {
        guard case .text(let text, _) = node.content else {
            return problems.refuse("found \(node.kind), expected a budget such as 'max <= 1 s'", at: node.mark)
        }
        do throws(BudgetError) {
            let budget = try Budget(key: key, text: text)
            if budget.bound.basis == .reference {
                return problems.refuse(
                    "this version does not measure a reference", at: node.mark,
                    hint: "write a multiple of ideal, or a fixed limit")
            }
            if let obstacle = obstacle(toComparing: budget) {
                return problems.refuse(obstacle.problem, at: node.mark, hint: obstacle.hint)
            }
            // Attempts are repeated up to the maximum while the evidence is too little.
            if budget.minimumAttempts > attempts.max {
                let most = attempts.max == attempts.min ? "" : ", at most \(attempts.max)"
                return problems.refuse(
                    "\(budget.statistic) needs at least \(budget.minimumAttempts) attempts, and the scenario asks for \(attempts.min)\(most)",
                    at: node.mark,
                    hint: "write 'attempts: \(budget.minimumAttempts)', or limit the max")
            }
            return budget
        } catch {
            let place = error.column.map { node.mark(ofCharacter: $0 - 1) } ?? node.mark
            return problems.refuse(error.problem, at: place, hint: error.suggestion.map { "did you mean '\($0)'?" })
        }
    }
}

extension BudgetDecoder {
    /// Why a budget cannot be compared with a baseline; nil if it can, or if it is not compared with one.
    private func obstacle(toComparing budget: Budget) -> (problem: String, hint: String)? {
        guard case .multiple(let factor, .baseline, let plus) = budget.bound else { return nil }
        guard hasBaseline else {
            return (
                "there is no baseline in this run",
                "give --against-client, --against-command, --against-host or --baseline, or make one with --save-baseline"
            )
        }
        guard !budget.metric.isNoiseFree else { return nil }
        guard budget.statistic == .median else {
            return (
                "a noisy metric is compared with a baseline by its median",
                "write 'median' instead of '\(budget.statistic)'"
            )
        }
        guard factor != 1 || plus != 0 else {
            let sign = budget.comparator.isLowerLimit ? "0.95" : "1.05"
            return ("a comparison of a noisy metric needs a tolerance", "write '\(sign) x baseline', or add a number")
        }
        let fewest = Comparison.fewestAttempts
        guard attempts.min >= fewest else {
            return (
                "a comparison needs at least \(fewest) attempts of each side, and the scenario asks for \(attempts.min)",
                "write 'attempts: \(fewest)'"
            )
        }
        return nil
    }
}
