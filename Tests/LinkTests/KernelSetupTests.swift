import LinkModel
import Links
import Testbed
import Testing

@testable import KernelLink

/// The queues that a setup needs, and the sums of what they counted.
@Suite struct KernelSetupTests {
    private static let rate = Conditions(rate: BitRate(bitsPerSecond: 1_000_000))
    private static let lossy = Conditions(
        rate: BitRate(bitsPerSecond: 1_000_000), loss: .random(Ratio(partsPerBillion: 10_000_000)))

    private static func profile(_ conditions: Conditions) -> Profile {
        Profile(name: "test", conditions: LinkConditions(downlink: conditions, uplink: conditions))
    }

    @Test func allConditionsOfALinkAreForeseen() {
        var setup = LinkSetup(profile: Self.profile(Self.rate))
        #expect(QueueLayout(.downlink, setup.foreseen) == QueueLayout(.downlink, setup.profile) && setup.isCertain)
        setup.faults = [LinkFault(trigger: .time(.zero), effect: .offline(.silent))]
        #expect(KernelObstacles.find(in: setup).isEmpty && setup.isCertain)
        #expect(QueueLayout(.downlink, setup.foreseen) != QueueLayout(.downlink, setup.profile))
        #expect(KernelBackend().parts(for: setup) == [.tbf])
        setup.faults = [LinkFault(trigger: .time(.zero), effect: .profile(Self.profile(Self.lossy)))]
        #expect(!setup.isCertain && KernelBackend().parts(for: setup) == [.tbf, .netem])
        setup.faults += [
            LinkFault(trigger: .time(.zero), effect: .cut), LinkFault(trigger: .time(.zero), effect: .offline(.noName)),
        ]
        #expect(KernelObstacles.find(in: setup).count == 2, "\(KernelObstacles.find(in: setup))")
    }

    /// Packets that an outage took are not lost by chance, nor are those that a full queue dropped.
    @Test func countersAreSeparatedByConditions() {
        var account = KernelAccount()
        var counted = KernelLinkCounters(both: EgressCounters())
        let online = Self.profile(Self.lossy).conditions
        var silent = online
        silent.offline = .silent
        counted.downlink.sentPackets = 90
        counted.downlink.sentBytes = 9000
        counted.downlink.lostPackets = 7
        counted.downlink.droppedPackets = 3
        account.note(counted, under: online)
        counted.downlink.lostPackets = 27
        counted.downlink.droppedPackets = 8
        account.note(counted, under: silent)
        counted.downlink.lostPackets = 28
        counted.downlink.queuedPackets = 2
        account.note(counted, under: online)
        var seen = LinkCounters(both: DirectionCounters())
        seen.downlink.payload = 5000
        seen.uplink.sentPackets = 40
        seen.uplink.wireBytes = 1600
        let sum = account.counters(seen: seen)
        #expect(sum.downlink.lostPackets == 8 && sum.downlink.droppedPackets == 3)
        #expect(sum.downlink.offlinePackets == 25 && sum.downlink.offeredPackets == 90 + 8 + 3 + 25 + 2)
        #expect(sum.downlink.wireBytes == 9000 && sum.downlink.payload == 5000)
        // A direction without queues has the counters of the packets that left it.
        #expect(sum.uplink.sentPackets == 40 && sum.uplink.wireBytes == 1600 && sum.uplink.offeredPackets == 40)
    }
}
