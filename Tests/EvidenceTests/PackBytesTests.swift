import LinkModel
import Testing

@testable import Evidence
@testable import PackHost
@testable import Results

/// Which of the bytes that cross the link are those of packs.
@Suite struct PackBytesTests {
    /// A connection as the host and the link report it; times are in tenths of a second.
    struct Connection: Sendable {
        /// The host's answers: what is at the path, the status, and the bytes of the body.
        var answers: [(resource: String, status: Int, body: Int64)]
        /// Bytes that are not of bodies.
        var others: Int64
        /// The bytes that had arrived by a time.
        var arrivals: [(time: Int64, total: Int64)]
        var scheme = "http"
        /// Bytes that the host did not count, because the client left meanwhile.
        var uncounted: Int64 = 0
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var connections: [Connection]
        /// The time of the first byte of a pack, the longest stall, and the bytes of packs.
        var first: Double
        var stall: Double
        var total: Int64
    }

    private static let pack = (resource: "a", status: 200, body: Int64(1000))
    private static let refusal = (resource: "a", status: 503, body: Int64(24))

    @Test(arguments: [
        Case(
            testDescription: "a refusal, and a new connection",
            connections: [
                Connection(answers: [refusal], others: 150, arrivals: [(3, 174)]),
                Connection(answers: [pack], others: 300, arrivals: [(53, 800), (54, 1300)]),
            ], first: 5.3, stall: 0.1, total: 1000),
        Case(
            testDescription: "a refusal on the same connection, whose head is the shorter one",
            connections: [
                Connection(
                    answers: [refusal, pack], others: 450, arrivals: [(3, 174), (20, 474), (53, 900), (54, 1474)])
            ], first: 5.3, stall: 0.1, total: 1000),
        Case(
            testDescription: "a refusal between two parts of a pack",
            connections: [
                Connection(answers: [("a", 206, 400)], others: 300, arrivals: [(3, 700)]),
                Connection(answers: [refusal], others: 150, arrivals: [(20, 174)]),
                Connection(answers: [("a", 206, 600)], others: 300, arrivals: [(53, 900)]),
            ], first: 0.3, stall: 5, total: 1000),
        Case(
            testDescription: "lists on two connections",
            connections: [
                Connection(
                    answers: [("manifest", 200, 2000), pack], others: 600,
                    arrivals: [(1, 2300), (40, 3000), (41, 3600)]),
                Connection(answers: [("tag-table", 200, 5000)], others: 300, arrivals: [(2, 5300)]),
            ], first: 4, stall: 0.1, total: 1000),
        Case(
            testDescription: "a path without a pack",
            connections: [
                Connection(answers: [("", 404, 9000), pack], others: 600, arrivals: [(1, 9300), (40, 10_600)])
            ], first: 4, stall: 0, total: 1000),
        Case(
            testDescription: "TLS, whose records add to a large pack",
            connections: [
                Connection(
                    answers: [("a", 200, 10_000_000)], others: 17_000,
                    arrivals: [(1, 2500), (2, 8000), (3, 10_017_000)], scheme: "https")
            ], first: 0.2, stall: 0.1, total: 10_000_000),
        Case(
            testDescription: "a client that leaves in the middle of a block",
            connections: [
                Connection(
                    answers: [("a", 200, 1000)], others: 300, arrivals: [(1, 1300), (2, 50_000), (3, 100_300)],
                    uncounted: 99_000)
            ], first: 0.1, stall: 0.1, total: 99_788),
    ])
    func onlyPacksCount(_ example: Case) {
        var trace = AttemptTrace()
        for (index, connection) in example.connections.enumerated() {
            let (number, port) = (index + 1, 4000 + index)
            func tell(_ kind: HostEvent.Kind) {
                trace.host.append(HostEvent(nanoseconds: 1, connection: number, kind: kind))
            }
            func tell(_ kind: LinkEvent.Kind, at time: Int64 = 0) {
                let at = Instant(nanoseconds: time * 100_000_000)
                trace.link.append(LinkEvent(at: at, connection: 10 + index, kind: kind))
            }
            tell(.opened(peer: "client", port: port))
            tell(.hostSide(port: port))
            for (resource, status, body) in connection.answers {
                let isCut = connection.uncounted > 0
                tell(
                    .request(
                        HostRequest(
                            method: "GET", path: "/", pack: resource.isEmpty ? nil : resource, number: 1, range: nil,
                            origin: "\(connection.scheme)://host")))
                tell(
                    .finished(
                        HostTransfer(
                            status: status, from: 0, planned: isCut ? 1_000_000 : body, handed: body,
                            unacknowledged: 0, cause: isCut ? .clientClosed : .complete)))
            }
            let bodies = connection.answers.map(\.body).reduce(0, +)
            tell(
                .closed(.init(cause: .client, received: 0, sent: bodies + connection.others + connection.uncounted)))
            for (time, total) in connection.arrivals { tell(.delivered(direction: .downlink, total: total), at: time) }
        }
        let deliveries = Transfers(trace).deliveries
        let request = RequestObservation(id: "r1", beganAt: 0, endedAt: 6_000_000_000, result: .available)
        let samples = Observations(requests: [request], deliveries: deliveries).samples()
        #expect(samples[.timeToFirstByte] == .value(example.first))
        #expect(samples[.longestStall].value.map { abs($0 - example.stall) < 0.001 } == true)
        #expect(deliveries.last?.totalBytes == example.total)
    }

    /// Of a host that is not ours, only the link's count is known.
    @Test func allBytesOfAnotherHostCount() {
        var trace = AttemptTrace()
        trace.crossed.meter = [
            MeterSample(at: Instant(nanoseconds: 7), totals: PerDirection(downlink: 1300, uplink: 200))
        ]
        #expect(Transfers(trace).deliveries == [DeliverySample(at: 7, totalBytes: 1300)])
    }
}
