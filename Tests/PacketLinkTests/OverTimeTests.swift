import LinkModel
import Scenarios
import SystemPackage
import Testing

@testable import PacketLink

/// Profiles that change: the packets that the link delivers over time are those that the profile allows.
@Suite(.sideBySide) struct OverTimeTests {
    /// A profile, and the time over which it is measured.
    struct Case: Sendable, CustomTestStringConvertible {
        var profile: Profile
        var length: Duration
        var testDescription: String { profile.name }
    }

    private static func shape(_ kilobits: Int64) -> LinkConditions {
        let direction = Conditions(rate: BitRate(bitsPerSecond: kilobits * 1000), delay: .milliseconds(20))
        return LinkConditions(downlink: direction, uplink: direction)
    }

    private static func offline(_ kind: OfflineKind) -> LinkConditions {
        var conditions = shape(2000)
        conditions.offline = kind
        return conditions
    }

    private static let steps: Case = {
        var profile = Profile(name: "steps", conditions: shape(2000))
        profile.changes = [
            .init(at: .seconds(2), conditions: shape(500)), .init(at: .seconds(4), conditions: shape(8000)),
        ]
        profile.repeatsEvery = .seconds(6)
        return Case(profile: profile, length: .seconds(18))
    }()

    private static let stalls: Case = {
        var profile = Profile(name: "stalls", conditions: shape(2000))
        profile.stall = .init(period: .seconds(4), length: .milliseconds(1500))
        return Case(profile: profile, length: .seconds(16))
    }()

    private static let outages: Case = {
        var profile = Profile(name: "outages", conditions: shape(2000))
        profile.changes = [
            .init(at: .seconds(3), conditions: offline(.silent)), .init(at: .seconds(5), conditions: shape(2000)),
            .init(at: .seconds(8), conditions: offline(.noRoute)), .init(at: .seconds(10), conditions: shape(2000)),
        ]
        return Case(profile: profile, length: .seconds(14))
    }()

    private static func tunnel() throws -> Case {
        let root = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
        let profile = try ProfileLibrary(folder: root.appending("profiles")).profile(named: "wifi-lte-tunnel")
        return Case(profile: profile, length: .seconds(34))
    }

    @Test(arguments: Direction.allCases)
    func `steps, stalls, outages and a tunnel are followed both ways`(direction: Direction) throws {
        for one in [Self.steps, Self.stalls, Self.outages, try Self.tunnel()] {
            let arrivals = try Self.saturate(one, direction)
            for window in Self.windows(one) {
                let conditions = one.profile.conditions(at: window.lowerBound)
                let shape = conditions[direction]
                let carries = !conditions.isHeld && conditions.offline == nil
                // A packet that is transmitted in the window arrives one delay later.
                let slack = shape.jitter?.amount ?? .zero
                let low = window.lowerBound + shape.delay + slack
                let high = window.upperBound + shape.delay - slack
                let count = arrivals.count { $0 >= low && $0 < high }
                let share = (shape.loss.map { 1 - Self.share($0) }) ?? 1
                let full = Double(shape.rate?.bitsPerSecond ?? 0) / 12_000 * (high - low).seconds
                let expected = carries ? full : 0
                // A lost packet does not use the rate, which the next packet in the queue gets.
                let spread = share < 1 ? 3 : 2.0
                #expect(
                    abs(Double(count) - expected) <= spread + expected * 0.005,
                    "\(one.profile.name), \(direction), \(window): \(count) packets, not \(expected)")
            }
        }
    }

    @Test(arguments: Direction.allCases)
    func `traces of both ways deliver what they say`(direction: Direction) throws {
        var profile = Profile(name: "traces", conditions: LinkConditions())
        // Three packets each 10 ms for half a second, then one each 50 ms for as long. The uplink has a third, then
        // half of that.
        let down = (1...50).flatMap { [$0 * 10, $0 * 10, $0 * 10] } + (11...20).map { $0 * 50 }
        let up = (1...50).map { $0 * 10 } + (6...10).map { $0 * 100 }
        profile.downlinkTrace = try DeliveryTrace(mahimahi: down.map(String.init).joined(separator: "\n"))
        profile.uplinkTrace = try DeliveryTrace(mahimahi: up.map(String.init).joined(separator: "\n"))
        let whole = Case(profile: profile, length: .seconds(10))
        let arrivals = try Self.saturate(whole, direction, before: whole.length)
        let trace = direction == .downlink ? down : up
        for second in 1..<9 {
            for half in [0, 500] {
                let low = second * 1000 + half
                let expected = trace.count { $0 > half && $0 <= half + 500 }
                let count = arrivals.count { $0 > .milliseconds(low) && $0 <= .milliseconds(low + 500) }
                #expect(count == expected, "\(direction), from \(low) ms")
            }
        }
    }

    /// The end of each stretch between two changes, 100 ms from both.
    private static func windows(_ one: Case) -> [Range<Duration>] {
        var moments: [Duration] = [.zero]
        while let next = one.profile.nextChange(after: moments[moments.count - 1]), next < one.length {
            moments.append(next)
        }
        moments.append(one.length)
        return zip(moments, moments.dropFirst()).map { start, end in
            max(start + .milliseconds(100), end - .milliseconds(300))..<(end - .milliseconds(100))
        }
    }

    private static func share(_ loss: Loss) -> Double {
        if case .random(let ratio) = loss { Double(ratio.partsPerBillion) / 1e9 } else { 0 }
    }

    /// The arrival times of 1500-byte packets that are sent faster than the link carries them, from `before` each
    /// change on.
    private static func saturate(
        _ one: Case, _ direction: Direction, before: Duration = .milliseconds(400)
    ) throws -> [Duration] {
        var link = try VirtualLink(one.profile)
        var now = Duration.zero
        while now < one.length {
            let next = min(one.profile.nextChange(after: now) ?? one.length, one.length)
            now = max(now, next - before)
            let rate = one.profile.conditions(at: now)[direction].rate?.bitsPerSecond ?? 10_000_000
            let step = Duration.nanoseconds(12_000 * 1_000_000_000 / rate * 9 / 10)
            while now < next {
                let payload = [UInt8](repeating: 0, count: 1472)
                link.send(
                    direction == .downlink
                        ? .down(TestPacket.udp(9, 10, payload)) : .up(TestPacket.udp(9, 10, payload)), at: now)
                now += step
            }
            now = next
        }
        let end: End = direction == .downlink ? .client : .host
        return link.finish(within: .seconds(20)).filter { $0.end == end && $0.bytes.count == 1500 }.map(\.at)
    }
}
