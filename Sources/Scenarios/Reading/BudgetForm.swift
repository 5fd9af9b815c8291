import Results

/// Reads `budgets`: a metric's name, and one text or a list of texts.
struct BudgetForm {
    let attempts: Attempts

    var form: Form<[Budget]> {
        .mapping("the budgets") { fields in
            fields.everyEntry().flatMap { entry in
                guard Budget.keys.contains(entry.key) else {
                    let hint = NearestName.hint(for: entry.key, in: Budget.keys)
                    fields.problems.add(
                        "there is no metric '\(entry.key.abbreviated)'", at: entry.keyMark,
                        hint: hint ?? "there are \(Budget.keys.joined(separator: ", "))")
                    return [Budget]()
                }
                return budgets(entry, fields.problems)
            }
        }
    }

    private func budgets(_ entry: YAMLNode.Entry, _ problems: Problems) -> [Budget] {
        let one = Form<Budget>("a budget such as 'max <= 1 s'") { node, problems in
            budget(entry.key, node, problems)
        }
        if case .list = entry.value.content {
            return Form.list("a list of budgets", of: one).value(of: entry.value, problems) ?? []
        }
        return one.value(of: entry.value, problems).map { [$0] } ?? []
    }

    private func budget(_ key: String, _ node: YAMLNode, _ problems: Problems) -> Budget? {
        guard case .text(let text, _) = node.content else {
            problems.add("\(node.kind) stands where a budget such as 'max <= 1 s' belongs", at: node.mark)
            return nil
        }
        do throws(BudgetError) {
            let budget = try Budget(key: key, text: text)
            if let basis = budget.bound.basis, basis != .ideal {
                problems.add(
                    "nothing measures a \(basis.rawValue) in this version", at: node.mark,
                    hint: "write a multiple of ideal, or a fixed limit")
                return nil
            }
            if budget.minimumAttempts > attempts.max {
                // More than asked for are only made where some do not count.
                let most = attempts.max == attempts.min ? "" : ", at most \(attempts.max)"
                problems.add(
                    "this needs at least \(budget.minimumAttempts) attempts, and the scenario asks for \(attempts.min)\(most)",
                    at: node.mark,
                    hint: "write 'attempts: \(budget.minimumAttempts)', or limit the max")
                return nil
            }
            return budget
        } catch {
            let place = error.column.map { node.mark(ofCharacter: $0 - 1) } ?? node.mark
            problems.add(error.problem, at: place, hint: error.suggestion.map { "did you mean '\($0)'?" })
            return nil
        }
    }
}
