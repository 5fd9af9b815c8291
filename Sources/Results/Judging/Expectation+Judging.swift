import Wording

extension RequestExpectation {
    /// The verdict on the requests of a cell's counted attempts: every one must do what is expected, in every attempt.
    ///
    /// A request whose end is unknown, or an attempt without the request, is infrastructure, unless another attempt
    /// shows a failure or the client itself caused that.
    package func judge(_ attempts: [AttemptRecord]) -> CheckResult {
        var failures: [Failure] = []
        var unknown: [Int] = []
        var met = 0
        for attempt in attempts {
            // Conditional requests are judged by their answers, and not by callbacks.
            let seen = expectation.isAboutAnswer ? answers(in: attempt) : outcomes(in: attempt)
            if seen.isUnknown, attempt.isClientAtFault {
                let missing = expectation.isAboutAnswer ? "an answer" : "a report"
                failures.append(Failure(number: attempt.number, text: "the client ended without \(missing)"))
            } else if seen.isUnknown {
                unknown.append(attempt.number)
            }
            failures += seen.unmet
            met += seen.met
        }
        let broken = failures.map(\.number).reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } }
        let verdict: Verdict = !failures.isEmpty ? .fail : unknown.isEmpty && met > 0 ? .pass : .infrastructure
        return CheckResult(
            kind: .expectation, name: name, asked: "\(expectation)", verdict: verdict,
            sentence: sentence(verdict, failures, unknown, met: met, attempts: attempts.count), brokenIn: broken)
    }

    /// What was not as expected in an attempt, and when, as ` after 4 s`.
    private struct Failure {
        var number: Int
        var text: String
        var after = ""
    }

    /// What an attempt shows: whether something is unknown, the failures, and the number of other outcomes.
    private typealias Sight = (isUnknown: Bool, unmet: [Failure], met: Int)

    private func outcomes(in attempt: AttemptRecord) -> Sight {
        let concerned = attempt.requests.filter(isAbout)
        let unmet = concerned.filter { $0.result != .unknown && !expectation.isMet(by: $0) }
        return (
            concerned.isEmpty || concerned.contains { $0.result == .unknown },
            unmet.map { Failure(number: attempt.number, text: $0.what, after: $0.after) }, concerned.count - unmet.count
        )
    }

    /// Each answer is as expected, and nothing crosses the link for it.
    private func answers(in attempt: AttemptRecord) -> Sight {
        let concerned = (attempt.answers ?? []).filter { request == nil || $0.id == request }
        let unmet = concerned.filter { expectation != .answer(isHere: $0.isHere) || $0.fetches > 0 }
        return (
            concerned.isEmpty, unmet.map { Failure(number: attempt.number, text: "\($0)") },
            concerned.count - unmet.count
        )
    }

    private func sentence(
        _ verdict: Verdict,
        _ failures: [Failure],
        _ unknown: [Int],
        met: Int,
        attempts: Int
    ) -> String {
        switch verdict {
        case .pass:
            return "as expected, \(met.counted("request")) in \(attempts.counted("attempt"))"
        case .fail:
            guard let first = failures.first else { return "" }
            let numbers = Set(failures.map(\.number)).count
            guard numbers > 1, failures.allSatisfy({ $0.text == first.text }) else {
                return "attempt \(first.number): \(first.text)\(first.after)"
                    + (failures.count > 1 ? ", and \(failures.count - 1) more" : "")
            }
            let which = numbers == attempts ? "all \(attempts)" : "\(numbers) of \(attempts)"
            let example =
                first.after.isEmpty
                ? "" : " (attempt \(first.number)\(first.after.hasPrefix(":") ? "" : ":")\(first.after))"
            return "\(first.text) in \(which) attempts\(example)"
        case .infrastructure, .inconclusive:
            let which = unknown.isEmpty ? "any attempt" : Budget.list(unknown)
            return
                "not evaluated: unknown outcome of \(request.map { "'\($0)'" } ?? "the requests") in \(which)"
        }
    }
}

extension Expectation {
    /// Whether a request's outcome is the expected one.
    ///
    /// A request whose end is unknown meets no expectation of a callback. An expectation of an answer is always met,
    /// because it does not concern callbacks.
    package func isMet(by outcome: RequestOutcome) -> Bool {
        let isInTime = withinSeconds.map { limit in outcome.seconds.map { $0 <= limit } ?? false } ?? true
        switch self {
        case .available:
            return outcome.result == .available && isInTime
        case .either:
            return (outcome.result == .available || outcome.result == .error) && isInTime
        case .error(let pattern, _):
            return outcome.result == .error && isInTime && pattern.matches(outcome)
        case .noCallback(let seconds):
            guard outcome.result != .unknown else { return false }
            guard outcome.result != .noCallback else { return true }
            return seconds.map { limit in outcome.seconds.map { $0 > limit } ?? false } ?? false
        case .answer: return true
        }
    }
}
