import LinkModel
import Testing

@testable import ProxyLink

struct MeterTests {
    private func sample(_ milliseconds: Int64, _ bytes: Int64) -> MeterSample {
        MeterSample(at: Instant(nanoseconds: milliseconds * 1_000_000), downlink: bytes, uplink: 0)
    }

    @Test func samplesKeepTheirDistanceAndTellSomethingNew() {
        var meter = Meter(spacing: .milliseconds(5), capacity: 100)
        for (time, bytes) in [(0, 0), (4, 10), (5, 20), (10, 20), (15, 30)] as [(Int64, Int64)] {
            meter.record(sample(time, bytes))
        }
        #expect(meter.samples == [sample(0, 0), sample(5, 20), sample(15, 30)])
    }

    @Test func itsRoomIsBounded() {
        var meter = Meter(spacing: .milliseconds(5), capacity: 16)
        for time in 0..<10_000 as Range<Int64> { meter.record(sample(time * 5, time)) }
        #expect(meter.samples.count <= 16)
        #expect(meter.samples.first == sample(0, 0))
        #expect(meter.samples.last.map { $0.downlink > 5000 } == true)
    }

    @Test(arguments: [
        ("127.0.0.1:80", Endpoint(host: "127.0.0.1", port: 80)), ("[::1]:0", Endpoint(host: "::1", port: 0)),
        ("Packs.Example:443", Endpoint(host: "packs.example", port: 443)),
    ])
    func anEndpointReadsAndPrints(text: String, endpoint: Endpoint) throws {
        #expect(try Endpoint(parsing: text) == endpoint)
        #expect(try Endpoint(parsing: endpoint.description) == endpoint)
    }

    @Test(arguments: ["", "a", "a:", "a:-1", "a:65536", "a b:1", "a:1:2", "[::1]", "[::1", "::1:80", "a:1 ", "a/:1"])
    func whatIsNoEndpointSaysWhy(text: String) {
        let error = #expect(throws: EndpointError.self) { try Endpoint(parsing: text) }
        #expect(error?.description.hasPrefix("Could not read '\(text)' as HOST:PORT: ") == true)
    }
}
