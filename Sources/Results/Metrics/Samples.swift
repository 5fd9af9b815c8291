/// Every metric of one attempt.
///
/// A metric that was not set is ``Sample/unknown``. In JSON every metric has its ``Metric/key`` with a number (true or
/// false for yes or no) or null. `never_came` names the metrics whose moment never came.
package struct Samples: Hashable, Sendable {
    private var known: [Metric: Sample]

    package init(_ known: [Metric: Sample] = [:]) {
        self.known = [:]
        for (metric, sample) in known { self[metric] = sample }
    }

    /// The metric's sample.
    ///
    /// A number that is not finite is stored as unknown.
    package subscript(metric: Metric) -> Sample {
        get { known[metric] ?? .unknown }
        set { known[metric] = newValue == .unknown || newValue.value?.isFinite == false ? nil : newValue }
    }

    /// The metric's sample, counted from an origin.
    ///
    /// It is unknown if it counts from a first packet that is unknown, or that came after the measured moment.
    package func sample(_ metric: Metric, from origin: Budget.Origin) -> Sample {
        guard origin == .firstPacket, case .value(let time) = self[metric] else { return self[metric] }
        guard let first = self[.timeToFirstPacket].value, first <= time else { return .unknown }
        return .value(time - first)
    }

    /// Sets a metric from an optional number: nil is unknown.
    package mutating func set(_ metric: Metric, _ value: Double?) {
        self[metric] = Sample(value)
    }
}

extension Samples: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MetricKey.self)
        self.init()
        for metric in Metric.allCases {
            let key = MetricKey(metric)
            if metric.unit == .truth {
                set(metric, try container.decodeIfPresent(Bool.self, forKey: key).map { $0 ? 1 : 0 })
            } else {
                set(metric, try container.decodeIfPresent(Double.self, forKey: key))
            }
        }
        for name in try container.decodeIfPresent([String].self, forKey: .neverCame) ?? [] {
            if let metric = Metric(rawValue: name) { self[metric] = .neverCame }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MetricKey.self)
        for metric in Metric.allCases {
            let key = MetricKey(metric)
            if metric.unit == .truth {
                try container.encode(self[metric].value.map { $0 == 1 }, forKey: key)
            } else {
                try container.encode(self[metric].value, forKey: key)
            }
        }
        let never = Metric.allCases.filter { self[$0] == .neverCame }.map(\.rawValue)
        if !never.isEmpty { try container.encode(never, forKey: .neverCame) }
    }
}

/// One metric of one attempt.
package enum Sample: Hashable, Sendable {
    /// The number, in the metric's base unit; finite.
    case value(Double)
    /// The timed moment is known to have never come: the client gave up or was never called back.
    ///
    /// It is beyond every limit.
    case neverCame
    /// Unknown; a budget on it does not pass.
    case unknown

    /// A number; nil is unknown.
    init(_ value: Double?) { self = value.map(Sample.value) ?? .unknown }

    /// A count; nil is unknown.
    init(count: Int64?) { self.init(count.map { Double($0) }) }

    /// Yes or no; nil is unknown.
    init(truth: Bool?) { self.init(truth.map { $0 ? 1 : 0 }) }

    /// The number; nil if there is none.
    package var value: Double? {
        if case .value(let value) = self { value } else { nil }
    }
}

/// A metric's key in JSON.
struct MetricKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ metric: Metric) { stringValue = metric.key }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    static let neverCame = MetricKey(stringValue: "never_came")
}
