/// A metric's key in JSON.
struct MetricKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ metric: Metric) { stringValue = metric.key }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    static let neverCame = MetricKey(stringValue: "never_came")
}
