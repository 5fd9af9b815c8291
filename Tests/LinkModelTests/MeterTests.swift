import LinkModel
import Testing

struct MeterTests {
    private func sample(_ milliseconds: Int64, _ bytes: Int64) -> MeterSample<PerDirection<Int64>> {
        MeterSample(
            at: Instant(nanoseconds: milliseconds * 1_000_000), totals: PerDirection(downlink: bytes, uplink: 0))
    }

    private func meter(
        capacity: Int, _ samples: [MeterSample<PerDirection<Int64>>]
    ) -> Meter<PerDirection<Int64>> {
        var meter = Meter<PerDirection<Int64>>(capacity: capacity)
        for sample in samples { meter.record(sample.totals, at: sample.at) }
        return meter
    }

    @Test func samplesKeepTheirDistanceAndTellSomethingNew() {
        let meter = meter(
            capacity: 100, [sample(0, 0), sample(4, 10), sample(5, 20), sample(10, 20), sample(15, 30)])
        #expect(meter.samples == [sample(0, 0), sample(5, 20), sample(15, 30)])
    }

    @Test func oneDirectionIsNewEnough() {
        var meter = meter(capacity: 100, [sample(0, 10)])
        meter.record(PerDirection(downlink: 10, uplink: 1), at: Instant(nanoseconds: 5_000_000))
        #expect(meter.samples.map(\.totals.uplink) == [0, 1])
    }

    @Test func itsRoomIsBounded() {
        let meter = meter(capacity: 16, (0..<10_000).map { sample($0 * 5, $0) })
        #expect(meter.samples.count <= 16)
        #expect(meter.samples.first == sample(0, 0))
        #expect(meter.samples.last.map { $0.totals.downlink > 5000 } == true)
    }
}
