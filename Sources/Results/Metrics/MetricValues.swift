/// Numbers for some metrics, in base units: the ideal ones, or those of a reference or a baseline.
///
/// In JSON it is an object of ``Metric/key`` and number; an absent key is an unknown number.
package struct MetricValues: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private var numbers: [Metric: Double]

    package init(_ numbers: [Metric: Double] = [:]) {
        self.numbers = numbers.filter(\.value.isFinite)
    }

    package init(dictionaryLiteral elements: (Metric, Double)...) {
        self.init(Dictionary(elements) { _, last in last })
    }

    /// The number for a metric; nil is unknown, and a number that is not finite becomes nil.
    package subscript(metric: Metric) -> Double? {
        get { numbers[metric] }
        set { numbers[metric] = newValue?.finite }
    }

    package var isEmpty: Bool { numbers.isEmpty }
}

extension MetricValues: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MetricKey.self)
        self.init()
        for metric in Metric.allCases {
            self[metric] = try container.decodeIfPresent(Double.self, forKey: .init(metric))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MetricKey.self)
        for metric in Metric.allCases { try container.encodeIfPresent(self[metric], forKey: .init(metric)) }
    }
}
