import LinkModel

@testable import PacketLink

/// A packet that left a link.
struct Arrival: Equatable {
    var at: Duration
    var end: End
    var bytes: [UInt8]

    var packet: TestPacket? { TestPacket(bytes) }
}

/// A ``PacketLoop`` in virtual time, with devices that accept everything at once.
struct VirtualLink: ~Copyable {
    var loop: PacketLoop
    private(set) var now: Instant
    private(set) var arrivals: [Arrival] = []
    private let start = Instant(nanoseconds: 1_000_000_000)

    init(
        _ profile: Profile, seed: UInt64 = 1, schedule: FaultSchedule? = nil, limits: PacketLimits = PacketLimits(),
        recorder: (any PacketRecording)? = nil
    ) throws {
        let configuration = PacketLinkConfiguration(
            profile: profile, seed: seed, schedule: schedule, limits: limits)
        loop = try PacketLoop(configuration, start: start, recorder: recorder)
        now = start
    }

    /// Sends a packet from an end, at a time after the link came up; by default now.
    mutating func send(_ bytes: [UInt8], from end: End, at time: Duration? = nil) {
        if let time { run(until: time) }
        loop.advance(to: now)
        guard let slot = loop.slab.take() else {
            loop.overflow(from: end)
            return
        }
        let room = loop.slab.room(slot)
        let count = min(bytes.count, room.count)
        room.copyBytes(from: bytes[..<count])
        loop.receive(slot, length: count, from: end, at: now)
        collect()
    }

    mutating func send(_ packet: TestPacket, at time: Duration? = nil) {
        let isClients = packet.source == TestPacket.client4 || packet.source == TestPacket.client6
        send(packet.bytes, from: isClients ? .client : .host, at: time)
    }

    /// Runs the link until a time after it came up.
    mutating func run(until time: Duration) {
        let end = start + time
        while let next = nextDeadline, next <= end {
            now = max(now, next)
            loop.advance(to: now)
            collect()
        }
        now = max(now, end)
        loop.advance(to: now)
    }

    /// Runs the link for `time`, 1000 s by default, and returns the packets that arrived since the last call.
    mutating func finish(within time: Duration = .seconds(1000)) -> [Arrival] {
        run(until: start.duration(to: now) + time)
        return take()
    }

    mutating func take() -> [Arrival] {
        defer { arrivals = [] }
        return arrivals
    }

    mutating func takeEvents() -> [LinkEvent] {
        defer { loop.events = [] }
        return loop.events
    }

    private var nextDeadline: Instant? {
        [loop.nextDuty, loop.nextDeadline(to: .client), loop.nextDeadline(to: .host)].compactMap { $0 }.min()
    }

    private mutating func collect() {
        for end in [End.host, .client] {
            while let departure = loop.next(to: end, at: now) {
                let bytes = Array(loop.bytes(departure))
                arrivals.append(Arrival(at: start.duration(to: departure.at), end: end, bytes: bytes))
                loop.finish(departure, to: end, at: now)
            }
        }
    }
}

extension Profile {
    static let open = Profile(name: "open")

    /// A profile with the same conditions in both directions.
    static func link(_ conditions: Conditions, mtu: Int = 1500, dnsDelay: Duration = .zero) -> Profile {
        Profile(
            name: "test",
            conditions: LinkConditions(downlink: conditions, uplink: conditions, dnsDelay: dnsDelay, mtu: mtu))
    }
}

extension Ratio {
    static func percent(_ value: Int64) -> Ratio { Ratio(partsPerBillion: value * 10_000_000) }
}

/// Numbers that look random and are the same each time (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}
