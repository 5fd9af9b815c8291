import LinkModel

@testable import PacketLink

/// Sends arbitrary packets from either end of a link: each is read within its bounds, and none stays in the link.
///
/// Three bytes precede each packet: its end with a change of the link's conditions, and its length in two bytes.
func fuzzPacket(_ bytes: [UInt8]) throws {
    var limits = PacketLimits()
    limits.flows = 8
    limits.heldQueries = 4
    limits.packetBytes = 1
    var link = try FuzzedLink(limits)
    var rest = bytes[...]
    var count = 0
    while rest.count > 3, count < 64 {
        let (order, length) = (
            rest[rest.startIndex], Int(rest[rest.startIndex + 1]) << 8 | Int(rest[rest.startIndex + 2])
        )
        let packet = Array(rest.dropFirst(3).prefix(length))
        rest = rest.dropFirst(3 + packet.count)
        count += 1
        try checkHeader(packet)
        if order & 0x80 != 0 { link.change(order) }
        try link.send(packet, from: order & 1 == 0 ? .client : .host)
    }
    try link.finish()
}

/// Checks that a header's offsets are within its packet, and that the answers to it are valid packets.
private func checkHeader(_ packet: [UInt8]) throws {
    guard let header = PacketHeader(packet.span) else { return }
    try demand(header.length <= packet.count, "a packet of \(packet.count) bytes has \(header.length)")
    try demand((0...header.length).contains(header.payloadOffset), "a payload begins at \(header.payloadOffset)")
    try demand(header.transportOffset <= header.length, "a transport's header is behind its packet")
    var answers = [PacketReply.reset(header), PacketReply.noName(header, packet.span)]
    for reason in [PacketReply.Unreachable.network, .port, .tooBig(mtu: 1280)] {
        answers.append(PacketReply.unreachable(reason, header, packet.span))
    }
    for answer in answers.compactMap({ $0 }) {
        guard let read = PacketHeader(answer.span) else { throw Finding("an answer is no packet") }
        try demand(read.length == answer.count, "an answer has \(answer.count) bytes and says \(read.length)")
        try demand(read.destination == header.source && read.source == header.destination, "an answer goes elsewhere")
        try demand(answer.count <= 1280, "an answer has \(answer.count) bytes")
    }
}

/// A link in virtual time; packets that leave it are taken at once.
private struct FuzzedLink: ~Copyable {
    private var loop: PacketLoop
    private var now = Instant(nanoseconds: 1_000_000_000)

    init(_ limits: PacketLimits) throws {
        let profile = Profile(name: "open")
        loop = try PacketLoop(PacketLinkConfiguration(profile: profile, limits: limits), start: now)
    }

    mutating func change(_ order: UInt8) {
        let one = Conditions(
            rate: order & 2 == 0 ? nil : BitRate(bitsPerSecond: 1_000_000), delay: .milliseconds(Int(order & 4) * 5))
        var conditions = LinkConditions(downlink: one, uplink: one, dnsDelay: .milliseconds(Int(order & 8)))
        conditions.offline =
            order & 0x70 == 0 ? nil : OfflineKind.allCases[Int(order >> 4 & 7) % OfflineKind.allCases.count]
        if order & 0x70 == 0x70 { conditions.mtu = 100 }
        _ = loop.take(.conditions(conditions), at: now)
    }

    mutating func send(_ bytes: [UInt8], from end: End) throws {
        now = now + .milliseconds(1)
        loop.advance(to: now)
        guard let slot = loop.slab.take() else { return loop.overflow(from: end) }
        let room = loop.slab.room(slot)
        let count = min(bytes.count, room.count)
        room.copyBytes(from: bytes[..<count])
        loop.receive(slot, length: count, from: end, at: now)
        try collect()
    }

    private mutating func collect() throws {
        for end in [End.host, .client] {
            while let departure = loop.next(to: end, at: now) {
                try demand(loop.bytes(departure).count <= loop.slab.slotBytes, "a packet grew")
                loop.finish(departure, to: end, at: now)
            }
        }
        loop.events.removeAll()
    }

    mutating func finish() throws {
        _ = loop.take(.conditions(LinkConditions()), at: now)
        for _ in 0..<1000 {
            try collect()
            let next = [loop.nextDuty, loop.nextDeadline(to: .client), loop.nextDeadline(to: .host)]
            guard let due = next.compactMap({ $0 }).min() else { break }
            now = max(now, due)
            loop.advance(to: now)
        }
        try collect()
        try demand(loop.slab.used == 0, "\(loop.slab.used) packets stay in the link")
        try demand(
            loop.summary().known.count <= 8, "a link knows \(loop.summary().known.count) flows, and 8 is the most")
    }
}
