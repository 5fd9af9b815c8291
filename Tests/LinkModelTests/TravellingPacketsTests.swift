import Testing

@testable import LinkModel

@Suite struct TravellingPacketsTests {
    /// Compares with sorting all packets.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `packets arrive by time, and at the same time in the order of sending`(seed: UInt64) {
        let random = KeyedRandom(seed: seed)
        func draw(_ rule: KeyedRandom.Rule, _ number: Int) -> Double {
            random.unit(rule, .init(stream: 0, direction: .uplink, slot: Int64(number), transmission: 1))
        }
        var travelling = TravellingPackets()
        var waiting: [(arrival: Instant, token: UInt64)] = []
        var last = Instant(nanoseconds: 0)
        for number in 0..<2000 {
            let now = Instant(nanoseconds: Int64(number))
            var item = TravellingPackets.Item(arrival: now, token: UInt64(number))
            if draw(.reorder, number) < 0.3 {
                item.arrival = now + .nanoseconds(Int64(draw(.jitter, number) * 20))
                travelling.insert(item)
            } else {
                last = max(last, now + .nanoseconds(Int64(draw(.jitter, number) * 8)))
                item.arrival = last
                travelling.append(item)
            }
            waiting.append((item.arrival, item.token))
            #expect(travelling.nextArrival == waiting.map(\.arrival).min())
            while let due = waiting.filter({ $0.arrival <= now }).min(by: { $0 < $1 }) {
                waiting.removeAll { $0.token == due.token }
                #expect(travelling.popFirst(by: now)?.token == due.token)
            }
            #expect(travelling.popFirst(by: now) == nil)
        }
    }
}
