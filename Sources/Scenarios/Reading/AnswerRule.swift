import Results

/// The rule on conditional requests: `expect` has an answer for each of them.
struct AnswerRule {
    let workload: Workload

    /// Notes answers that are missing, or that belong to no conditional request.
    ///
    /// Requests that a step begins are expected to become available, unless the scenario says otherwise.
    func complete(_ expectations: inout [RequestExpectation], _ fields: Fields) {
        let conditional = workload.requests.filter(\.isConditional).map(\.id)
        let answers = expectations.filter(\.expectation.isAboutAnswer)
        let unasked = answers.compactMap(\.request).filter { !conditional.contains($0) }
        if let id = unasked.first ?? (answers.isEmpty || !conditional.isEmpty ? nil : workload.names.first) {
            fields.refuse(
                "expect", "'\(id)' is not conditional, so it has no answer",
                hint: "write 'conditional: true' into the request, or expect 'available'")
        }
        let hasOneForAll = answers.contains { $0.request == nil }
        let missing = conditional.filter { id in !hasOneForAll && !answers.contains { $0.request == id } }
        if let id = missing.first {
            fields.refuse(
                "expect", "'\(id)' is conditional, but 'expect' has no answer for it",
                hint: "write '\(id): here' or '\(id): not-here'")
        }
        let others = expectations.filter { !$0.expectation.isAboutAnswer }
        if hasOneForAll, others.isEmpty, !workload.namesOfBegun.isEmpty {
            expectations.append(RequestExpectation(.available()))
        }
        for id in conditional where workload.begunLater.contains(id) && answers.contains(where: { $0.request == id }) {
            guard !others.contains(where: { $0.request ?? id == id }) else { continue }
            expectations.append(RequestExpectation(.available(), request: id))
        }
    }
}
