import Testing

@testable import Results

@Suite("Timeline: observations to samples")
struct TimelineTests {
    static let second: Int64 = 1_000_000_000

    /// Deliveries as pairs of seconds and the total of bytes.
    static func delivered(_ pairs: (Double, Int64)...) -> [DeliverySample] {
        pairs.map { DeliverySample(at: Int64($0.0 * 1e9), totalBytes: $0.1) }
    }

    static func request(
        _ begin: Double, _ end: Double, _ result: RequestOutcome.Result = .available,
        progress: [(Double, Double)]? = nil, deliveries: [DeliverySample]? = nil, total: Int64? = 1000, held: Int64 = 0,
        pauses: [(Int64, Int64)] = []
    ) -> RequestObservation {
        RequestObservation(
            id: "r", beganAt: Int64(begin * 1e9), endedAt: Int64(end * 1e9), result: result,
            progress: progress?.map { ProgressSample(at: Int64($0.0 * 1e9), fraction: $0.1) }, deliveries: deliveries,
            totalBytes: total, heldBytes: held, pauses: pauses.map { $0.0 * second...$0.1 * second })
    }

    static func fetch(
        _ at: Int64, _ length: Int64, _ status: Int? = 200, pack: String = "a", from: Int64 = 0, complete: Bool = true
    ) -> RequestSample {
        RequestSample(at: at, pack: pack, from: from, length: length, status: status, isComplete: complete)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let metric: Metric
        let seen: Observations
        let expected: Sample

        init(_ name: String, _ metric: Metric, _ expected: Sample, _ seen: Observations) {
            (self.name, self.metric, self.expected, self.seen) = (name, metric, expected, seen)
        }

        var testDescription: String { "\(metric.rawValue): \(name)" }
    }

    static let times: [Row] = [
        Row(
            "from begin to the first head, answers before it left out", .timeToFirstResponse, .value(0.5),
            .init(requests: [request(1, 9, .error)], answers: [500_000_000, 1_500_000_000, 2_000_000_000])),
        Row("no head came", .timeToFirstResponse, .neverCame, .init(requests: [request(1, 9)], answers: [])),
        Row("nobody looked", .timeToFirstResponse, .unknown, .init(requests: [request(1, 9)])),
        Row(
            "from begin to the first connection", .timeToFirstPacket, .value(0.25),
            .init(requests: [request(1, 9)], flows: [500_000_000, 1_250_000_000, 2_000_000_000])),
        Row(
            "none since the begin", .timeToFirstPacket, .neverCame,
            .init(requests: [request(1, 9)], flows: [500_000_000])),
        Row("nobody looked", .timeToFirstPacket, .unknown, .init(requests: [request(1, 9)])),
        Row(
            "from begin to the first byte", .timeToFirstByte, .value(0.5),
            .init(requests: [request(1, 9)], deliveries: delivered((1, 0), (1.5, 100), (2, 1000)))),
        Row("no byte came", .timeToFirstByte, .neverCame, .init(requests: [request(1, 9)], deliveries: [])),
        Row("nobody looked", .timeToFirstByte, .unknown, .init(requests: [request(1, 9)])),
        Row(
            "of several, the last", .timeToAvailable, .value(8),
            .init(requests: [request(1, 5), request(2, 9)])),
        Row("one failed", .timeToAvailable, .neverCame, .init(requests: [request(1, 5), request(2, 9, .error)])),
        Row("one unknown", .timeToAvailable, .unknown, .init(requests: [request(1, 5), request(2, 9, .unknown)])),
        Row("no request", .timeToAvailable, .unknown, .init(requests: [])),
        Row(
            "the first error", .timeToError, .value(4),
            .init(requests: [request(1, 9, .error), request(1, 5, .error)])),
        Row("no error", .timeToError, .neverCame, .init(requests: [request(1, 9)])),
        Row(
            "body bits over the time to the last byte", .throughput, .value(1000),
            .init(requests: [request(1, 90)], deliveries: delivered((2, 500), (9, 1000), (50, 1000)))),
        Row("nothing", .throughput, .value(0), .init(requests: [request(1, 9)], deliveries: [])),
    ]

    static let stalls: [Row] = [
        Row(
            "the longest gap, without the first wait", .longestStall, .value(5),
            .init(requests: [request(0, 12)], deliveries: delivered((6, 1), (7, 2), (12, 3)))),
        Row(
            "nothing after success", .longestStall, .value(1),
            .init(requests: [request(0, 60)], deliveries: delivered((6, 1), (7, 2)))),
        Row(
            "up to the error", .longestStall, .value(53),
            .init(requests: [request(0, 60, .error)], deliveries: delivered((6, 1), (7, 2)))),
        Row(
            "no byte at all", .longestStall, .value(60),
            .init(requests: [request(0, 60, .error)], deliveries: [])),
        Row("available without a byte", .longestStall, .value(0), .init(requests: [request(0, 1)], deliveries: [])),
        Row(
            "a pause between requests is none", .longestStall, .value(1),
            .init(
                requests: [request(0, 2), request(50, 53)],
                deliveries: delivered((1, 1), (2, 2), (52, 3), (53, 4)))),
        Row(
            "requests that overlap are one stretch", .longestStall, .value(50),
            .init(
                requests: [request(0, 30), request(20, 53)],
                deliveries: delivered((1, 1), (2, 2), (52, 3), (53, 4)))),
        Row(
            "a repeated count is not a byte", .longestStall, .value(5),
            .init(requests: [request(0, 9)], deliveries: delivered((1, 5), (3, 5), (6, 6)))),
        Row(
            "what was paused is none", .longestStall, .value(2),
            .init(requests: [request(0, 30, pauses: [(3, 20)])], deliveries: delivered((2, 1), (21, 2), (22, 3)))),
        Row(
            "another went on meanwhile", .longestStall, .value(18),
            .init(
                requests: [request(0, 30, pauses: [(3, 20)]), request(1, 30)],
                deliveries: delivered((2, 1), (20, 2)))),
        Row(
            "paused to the end", .longestStall, .value(1),
            .init(requests: [request(0, 60, .noCallback, pauses: [(3, 90)])], deliveries: delivered((2, 1)))),
        Row("nobody looked", .longestStall, .unknown, .init(requests: [request(0, 9)])),
    ]

    static let counts: [Row] = [
        Row(
            "every byte once", .redundantBytes, .value(0),
            .init(requests: [], fetches: [fetch(1, 600, complete: false), fetch(2, 400, 206, from: 600)])),
        Row(
            "a resume that overlaps", .redundantBytes, .value(100),
            .init(requests: [], fetches: [fetch(1, 600, complete: false), fetch(2, 500, 206, from: 500)])),
        Row(
            "from zero again", .redundantBytes, .value(600),
            .init(requests: [], fetches: [fetch(1, 600, complete: false), fetch(2, 1000)])),
        Row(
            "within what is there", .redundantBytes, .value(300),
            .init(
                requests: [], fetches: [fetch(1, 1000), fetch(2, 200, 206, from: 100), fetch(3, 100, 206, from: 900)])),
        Row(
            "two packs are two", .redundantBytes, .value(0),
            .init(requests: [], fetches: [fetch(1, 600, pack: "a"), fetch(2, 600, pack: "b")])),
        Row(
            "an error's body is not counted", .redundantBytes, .value(0),
            .init(requests: [], fetches: [fetch(1, 600, 503), fetch(2, 600)])),
        Row("nobody looked", .redundantBytes, .unknown, .init(requests: [])),
        Row("each head", .requests, .value(2), .init(requests: [], fetches: [fetch(1, 1), fetch(2, 1)])),
        Row(
            "parallel parts are none", .retries, .value(0),
            .init(requests: [], fetches: [fetch(1, 500, 206), fetch(2, 500, 206, from: 500)])),
        Row(
            "after a cut", .retries, .value(1),
            .init(requests: [], fetches: [fetch(1, 500, complete: false), fetch(2, 500, 206, from: 500)])),
        Row(
            "after errors and no answer", .retries, .value(3),
            .init(requests: [], fetches: [fetch(1, 0, 503), fetch(2, 0, nil), fetch(3, 0, 404), fetch(4, 9)])),
        Row(
            "of another pack are none", .retries, .value(0),
            .init(requests: [], fetches: [fetch(1, 0, 503, pack: "a"), fetch(2, 9, pack: "b")])),
        Row(
            "one for each failure", .retries, .value(1),
            .init(requests: [], fetches: [fetch(1, 0, 503), fetch(2, 9), fetch(3, 9)])),
        Row(
            "a redirect is not a failure", .retries, .value(0),
            .init(requests: [], fetches: [fetch(1, 0, 302), fetch(2, 9)])),
        Row("the link's counters", .bytesOnWire, .value(1234), .init(requests: [], wireBytes: 1234)),
        Row("unknown is not 0", .memoryPeak, .unknown, .init(requests: [])),
    ]

    @Test("gives", arguments: all)
    func gives(_ row: Row) {
        let sample = row.seen.samples()[row.metric]
        guard case .value(let expected) = row.expected, let value = sample.value else {
            #expect(sample == row.expected)
            return
        }
        #expect(abs(value - expected) < 1e-9)
    }

    @Test(
        "contradictory times mean that a clock stepped",
        arguments: [
            (Observations(requests: [request(1, 9)], deliveries: delivered((2, 1), (3, 2))), 0),
            (Observations(requests: [request(9, 1)]), 1),
            (Observations(requests: [request(1, 9)], deliveries: delivered((3, 1), (2, 2))), 1),
            (Observations(requests: [request(1, 9)], deliveries: delivered((2, 2), (3, 1))), 1),
            (Observations(requests: [request(1, 9)], deliveries: delivered((0.5, 2))), 1),
            (Observations(requests: [request(1, 9, progress: [(3, 0.1), (2, 0.2)])]), 1),
        ])
    func contradictions(_ seen: Observations, _ count: Int) {
        #expect(seen.findings().map(\.attribution) == Array(repeating: .clockStepped, count: count))
    }
}
