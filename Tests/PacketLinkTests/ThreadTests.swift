import Glibc
import LinkModel
import Synchronization
import SystemPackage
import Testing

@testable import PacketLink

/// The thread of a link with its descriptors: devices that are full, that end, or that send anything.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ThreadTests {
    private func withLink<Result>(
        _ profile: Profile = .open, schedule: FaultSchedule? = nil, limits: PacketLimits = PacketLimits(),
        _ body: (PacketLink, _ client: SocketPair, _ host: SocketPair) async throws -> Result
    ) async throws -> Result {
        try await SocketPair.with { client in
            try await SocketPair.with { host in
                let configuration = PacketLinkConfiguration(profile: profile, schedule: schedule, limits: limits)
                return try await withPacketLink(configuration, client: client.device, host: host.device) { link in
                    try await body(link, client, host)
                }
            }
        }
    }

    private func datagram(_ number: Int, bytes: Int = 1000) -> TestPacket {
        .up(TestPacket.udp(1, 2, be32(UInt32(number)) + [UInt8](repeating: 0, count: bytes)))
    }

    /// Packets that are not read yet wait in order, and block the sender.
    @Test(arguments: [Duration.zero, .milliseconds(5)])
    func aFullDeviceLosesNothing(delay: Duration) async throws {
        try await withLink(.link(Conditions(delay: delay))) { _, client, host in
            let count = 3000
            let sending = Task.detached {
                for number in 0..<count { try client.send(datagram(number).bytes) }
            }
            // Waits until the sockets are full, or the link has all packets.
            try await Task.sleep(for: .milliseconds(300))
            for number in 0..<count {
                let bytes = try host.receive()
                guard bytes == datagram(number).bytes else {
                    Issue.record("datagram \(number) is not the next one")
                    break
                }
            }
            try await sending.value
        }
    }

    /// A packet that comes while the thread is busy with an earlier one is not older than its sending.
    @Test func packetsOfABatchHaveTheirOwnTimes() async throws {
        try await SocketPair.with { client in
            try await SocketPair.with { host in
                try await SocketPair.with { wakeup in
                    let shape = Profile.link(Conditions(delay: .milliseconds(1)))
                    let recorder = AnsweringRecorder { try? client.send(datagram(2).bytes) }
                    var pump = try PacketPump(
                        PacketLinkConfiguration(profile: shape), client: client.device, host: host.device,
                        wakeup: wakeup.device, recorder: recorder)
                    try client.send(datagram(1).bytes)
                    _ = try pump.turn()
                    let times = recorder.times.withLock { $0 }
                    try #require(times.received.count == 2)
                    #expect(times.received[1] > times.sent)
                }
            }
        }
    }

    @Test(arguments: End.allCases)
    func aDeviceThatEndsEndsTheLink(end: End) async throws {
        await #expect(throws: PacketLinkError.ended(end)) {
            try await withLink { link, client, host in
                try (end == .client ? client : host).program.close()
                for await _ in link.events {}
            }
        }
    }

    /// Random and mutated packets from both ends, up to more than the largest size, while conditions change.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func hostilePacketsStopNothing(seed: UInt64) async throws {
        var limits = PacketLimits()
        limits.flows = 64
        limits.packetBytes = 1
        let schedule = seed == 3 ? try FaultSchedule(parsing: "L2 conn=* down off=0 len=100000 tx=* corrupt@0.5") : nil
        try await withLink(schedule: schedule, limits: limits) { link, client, host in
            let ends = [client, host]
            let senders = ends.enumerated().map { index, end in
                Task.detached { try hostile(end, seed: seed &* 2 &+ UInt64(index)) }
            }
            for round in 0..<40 {
                let random = Conditions(
                    delay: .microseconds(round * 50), loss: .random(.percent(5)), duplicate: .percent(5),
                    reorder: .percent(5), corrupt: .percent(5))
                try await link.update { conditions in
                    conditions.downlink = round.isMultiple(of: 3) ? Conditions() : random
                    conditions.uplink = round.isMultiple(of: 2) ? Conditions() : random
                    conditions.offline = round % 8 == 7 ? OfflineKind.allCases[round / 8 % 4] : nil
                    conditions.mtu = [576, 1500][round % 2]
                }
                if round % 10 == 9 { try await link.cut() }
                try await Task.sleep(for: .milliseconds(5))
            }
            for sender in senders { try await sender.value }
            let counters = try await link.counters()
            #expect(counters.malformedPackets > 0 && counters.flows > 64)
            try await link.set(LinkConditions())
            let last = datagram(77_777_777)
            var room = [UInt8](repeating: 0, count: 65_536)
            for _ in 0..<1000 {
                // Packets that wait for the client use the link's memory until they are read.
                take(&room, from: client)
                _ = send(client.program.rawValue, last.bytes, last.bytes.count, Int32(MSG_DONTWAIT))
                try await Task.sleep(for: .milliseconds(5))
                while case let count = recv(host.program.rawValue, &room, room.count, Int32(MSG_DONTWAIT)), count > 0 {
                    if room[..<count].elementsEqual(last.bytes) { return }
                }
            }
            Issue.record("what is sent after all that does not arrive")
        }
    }

    @Test func anIdleLinkTakesNoProcessorTime() async throws {
        try await SocketPair.with { client in
            try await SocketPair.with { host in
                let shape = Conditions(rate: BitRate(bitsPerSecond: 1_000_000), delay: .milliseconds(1))
                let thread = try PacketThread(
                    PacketLinkConfiguration(profile: .link(shape)), client: client.device, host: host.device)
                try await thread.started()
                let own = await withCheckedContinuation { continuation in
                    _ = thread.submit { _, _ in continuation.resume(returning: Self.thisThread()) }
                }
                try client.send(datagram(1).bytes)
                _ = try host.receive()
                // The report on this packet is due soon, and none after it.
                try await Task.sleep(for: .milliseconds(100))
                let before = try processorTime(of: own)
                try await Task.sleep(for: .milliseconds(300))
                let after = try processorTime(of: own)
                #expect(before == after && before > 0)
                _ = await thread.stop()
            }
        }
    }

    /// Sends many packets that are wrong in many ways, and reads and discards all that arrive.
    private func hostile(_ end: SocketPair, seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        var room = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<5000 {
            var bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let kind = Int.random(in: 0..<10, using: &random)
            if kind > 1 {
                let sequence = UInt32.random(in: 0...100_000, using: &random)
                let flags = UInt8.random(in: 0...31, using: &random)
                let port = Int.random(in: 1...200, using: &random)
                let body =
                    kind > 4
                    ? TestPacket.tcp(port, 53, seq: sequence, ack: sequence, flags: flags, bytes)
                    : TestPacket.udp(port, 53, bytes)
                bytes =
                    TestPacket(
                        source: TestPacket.client4, destination: TestPacket.host4, body: body
                    ).bytes
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if kind > 6 { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            } else if kind == 1 {
                bytes += [UInt8](repeating: 0x45, count: Int.random(in: 1000...4000, using: &random))
            }
            // Two ends that only wait for room block each other over an open link.
            while send(end.program.rawValue, bytes, bytes.count, Int32(MSG_DONTWAIT)) < 0 {
                guard errno == EAGAIN else { throw Errno(rawValue: errno) }
                var watched = pollfd(fd: end.program.rawValue, events: Int16(POLLIN | POLLOUT), revents: 0)
                guard poll(&watched, 1, 20_000) > 0 else { throw Errno.timedOut }
                take(&room, from: end)
            }
            take(&room, from: end)
        }
    }

    private func take(_ room: inout [UInt8], from end: SocketPair) {
        while recv(end.program.rawValue, &room, room.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    /// The calling thread, as a path below /proc.
    private static func thisThread() -> String {
        var room = [CChar](repeating: 0, count: 256)
        let count = readlink("/proc/thread-self", &room, room.count)
        return String(decoding: room.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Nanoseconds that a thread of this process has run.
    private func processorTime(of thread: String) throws -> Int {
        let file = try FileDescriptor.open(FilePath("/proc/\(thread)/schedstat"), .readOnly)
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
        let words = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
        return try #require(words.first.flatMap { Int($0) })
    }
}

/// Sends a packet when the first one is recorded, and keeps the times of both.
private final class AnsweringRecorder: PacketRecording {
    struct Times {
        var received: [Instant] = []
        var sent = Instant(nanoseconds: 0)
    }

    let times = Mutex(Times())
    private let send: @Sendable () -> Void

    init(send: @escaping @Sendable () -> Void) { self.send = send }

    func record(_ packet: Span<UInt8>, at end: End, isInbound: Bool, time: Instant, comment: String?) {
        times.withLock { times in
            times.received.append(time)
            guard times.received.count == 1 else { return }
            times.sent = .monotonic()
            send()
        }
    }
}
