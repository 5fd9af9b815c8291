extension Observations {
    /// The samples of the attempt: every metric that the observations allow.
    package func samples() -> Samples {
        var samples = Samples()
        for metric in Metric.allCases { samples[metric] = metric.definition.sample(self) }
        return samples
    }

    /// Contradictions in the times, because of a clock that stepped, or events of another attempt.
    package func findings() -> [Finding] {
        var problems: [String] = []
        for request in requests where request.endedAt < request.beganAt {
            problems.append("'\(request.id)' ended before it began")
        }
        let lists = [deliveries] + requests.map(\.deliveries)
        if lists.contains(where: { Self.isOutOfOrder($0 ?? [], \.at) }) {
            problems.append("deliveries are not in the order of their times")
        }
        if lists.contains(where: { Self.isOutOfOrder($0 ?? [], \.totalBytes) }) {
            problems.append("the count of delivered bytes decreases")
        }
        if requests.contains(where: { Self.isOutOfOrder($0.progress ?? [], \.at) }) {
            problems.append("progress events are not in the order of their times")
        }
        if let start, (deliveries ?? []).contains(where: { $0.at < start && $0.totalBytes > 0 }) {
            problems.append("bytes were delivered before the first request began")
        }
        return problems.map { Finding(.clockStepped, $0) }
    }

    private static func isOutOfOrder<Element>(_ list: [Element], _ value: KeyPath<Element, Int64>) -> Bool {
        zip(list, list.dropFirst()).contains { $0[keyPath: value] > $1[keyPath: value] }
    }

    /// The moment at which the first request began, in CLOCK_MONOTONIC nanoseconds; nil without a request.
    var start: Int64? { requests.map(\.beganAt).min() }

    /// The seconds from the first request's begin; nil without a request.
    func seconds(to moment: Int64) -> Double? { start.map { Self.seconds(from: $0, to: moment) } }

    static func seconds(from start: Int64, to end: Int64) -> Double { Double(end - start) / 1e9 }
}
