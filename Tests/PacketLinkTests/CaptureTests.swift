import Glibc
import LinkModel
import SystemPackage
import Testing

@testable import PacketLink

/// The contents of a capture, read by the rules of the format, and by tshark.
@Suite(.timeLimit(.minutes(1)))
struct CaptureTests {
    private struct Block {
        var type: UInt32
        var body: [UInt8]

        func word(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(body[offset + $1]) << (8 * UInt32($1)) } }

        func half(_ offset: Int) -> Int { Int(body[offset]) | Int(body[offset + 1]) << 8 }

        /// The options from an offset on, by their codes.
        func options(from start: Int) -> [Int: [UInt8]] {
            var found: [Int: [UInt8]] = [:]
            var at = start
            while half(at) != 0 {
                let length = half(at + 2)
                found[half(at)] = Array(body[at + 4..<at + 4 + length])
                at += 4 + (length + 3) / 4 * 4
            }
            return found
        }
    }

    private struct Record: Equatable {
        var end: End
        var isInbound: Bool
        var nanoseconds: UInt64
        var bytes: [UInt8]
        var comment: String?
    }

    /// The blocks of a file; fails if the two lengths of a block differ.
    private func blocks(_ bytes: [UInt8]) throws -> [Block] {
        var rest = bytes[...]
        var found: [Block] = []
        while !rest.isEmpty {
            func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(rest[at + $1]) << (8 * $1) } }
            let length = word(rest.startIndex + 4)
            try #require(length >= 12 && length.isMultiple(of: 4) && length <= rest.count)
            try #require(word(rest.startIndex + length - 4) == length)
            let body = Array(rest[rest.startIndex + 8..<rest.startIndex + length - 4])
            found.append(Block(type: UInt32(word(rest.startIndex)), body: body))
            rest = rest.dropFirst(length)
        }
        return found
    }

    private func records(_ blocks: [Block]) -> [Record] {
        blocks.filter { $0.type == 6 }.map { block in
            let length = Int(block.word(12))
            let options = block.options(from: 20 + (length + 3) / 4 * 4)
            return Record(
                end: block.word(0) == 0 ? .client : .host, isInbound: options[2]?.first == 1,
                nanoseconds: UInt64(block.word(4)) << 32 | UInt64(block.word(8)),
                bytes: Array(block.body[20..<20 + length]),
                comment: options[1].map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Records a link in virtual time, and returns the capture's bytes, outcome and path.
    private func capture(
        _ profile: Profile, limit: Int64 = 1 << 20, hasPayload: Bool = true, _ body: (inout VirtualLink) -> Void
    ) throws -> (bytes: [UInt8], outcome: PacketCapture.Outcome, path: FilePath) {
        let path = FilePath("/tmp/headwind-capture-\(UInt64.random(in: 0 ... .max)).pcapng")
        let writer = try CaptureWriter(PacketCapture(path: path, limit: limit, hasPayload: hasPayload))
        var link = try VirtualLink(profile, recorder: writer)
        body(&link)
        let outcome = writer.finish()
        return (try read(path), outcome, path)
    }

    private func read(_ path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly)
        defer { try? file.close() }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = try piece.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            bytes += piece[..<count]
        }
        return bytes
    }

    private let lossy: Profile = {
        let conditions = LinkConditions(
            downlink: Conditions(delay: .milliseconds(20), loss: .random(.one)),
            uplink: Conditions(delay: .milliseconds(5)))
        return Profile(name: "test", conditions: conditions)
    }()

    @Test func bothEndsAndTheReasonOfEachDropAreThere() throws {
        let up = TestPacket.up(TestPacket.udp(1, 2, [1, 2, 3]))
        let down = TestPacket.down(TestPacket.udp(2, 1, [4]), v6: true)
        let (bytes, outcome, path) = try capture(lossy) { link in
            link.send(up)
            link.send(down)
            _ = link.finish()
        }
        defer { unlink(path.string) }
        let blocks = try blocks(bytes)
        #expect(blocks.map(\.type) == [0x0a0d_0d0a, 1, 1, 6, 6, 6, 5, 5])
        #expect(blocks[1].half(0) == 101 && blocks[1].options(from: 8)[2] == Array("client".utf8))
        #expect(blocks[2].options(from: 8)[2] == Array("host".utf8) && blocks[2].options(from: 8)[9] == [9])
        let records = records(blocks)
        #expect(records.map(\.end) == [.client, .host, .host] && records.map(\.isInbound) == [false, false, true])
        #expect(records.map(\.bytes) == [up.bytes, down.bytes, up.bytes])
        let reason = "dropped: rule loss, L2 conn=udp#2 down off=0 len=1448 tx=1 drop"
        #expect(records.map(\.comment) == [nil, reason, nil])
        #expect(records[2].nanoseconds - records[0].nanoseconds == 5_000_000)
        #expect(outcome.packets == 3 && outcome.missedPackets == 0 && outcome.bytes == bytes.count)
    }

    @Test(arguments: [
        (OfflineKind.silent, "dropped: rule offline, silent"), (.noRoute, "dropped: rule offline, no-route"),
    ])
    func offlineIsNamed(kind: OfflineKind, comment: String) throws {
        let profile = Profile(name: "test", conditions: LinkConditions(offline: kind))
        let (bytes, _, path) = try capture(profile) { link in link.send(.up(TestPacket.udp(1, 2, [1]))) }
        defer { unlink(path.string) }
        #expect(try records(blocks(bytes)).first?.comment == comment)
    }

    @Test func aFullQueueIsNamed() throws {
        let profile = Profile.link(Conditions(rate: BitRate(bitsPerSecond: 1000), queue: .packets(1)))
        let (bytes, _, path) = try capture(profile) { link in
            for _ in 0..<3 { link.send(.up(TestPacket.udp(1, 2, [1]))) }
        }
        defer { unlink(path.string) }
        let comments = try records(blocks(bytes)).map(\.comment)
        #expect(comments == [nil, nil, "dropped: rule queue, no room in front of the rate"])
    }

    @Test func packetsBeyondTheLimitAreCounted() throws {
        let (bytes, outcome, path) = try capture(.open, limit: 4000) { link in
            for _ in 0..<100 { link.send(.up(TestPacket.udp(1, 2, [UInt8](repeating: 0, count: 500)))) }
        }
        defer { unlink(path.string) }
        #expect(bytes.count <= 4000 && outcome.packets == 6 && outcome.missedPackets == 194)
        let statistics = try blocks(bytes).filter { $0.type == 5 }
        #expect(statistics.map { $0.options(from: 12)[4]?.first } == [100, 100])
        #expect(statistics.map { $0.options(from: 12)[5]?.first } == [97, 97])
    }

    @Test func aLinkWhoseFileCannotBeMadeDoesNotComeUp() async throws {
        let path = FilePath("/nonexistent/capture.pcapng")
        try await SocketPair.with { client in
            try await SocketPair.with { host in
                let configuration = PacketLinkConfiguration(profile: .open, capture: PacketCapture(path: path))
                await #expect(throws: PacketLinkError.capture(path: path.string, code: ENOENT)) {
                    try await withPacketLink(configuration, client: client.device, host: host.device) { _ in }
                }
            }
        }
    }

    @Test func aFullDiskEndsTheFileAndNotTheLink() async throws {
        try await SocketPair.with { client in
            try await SocketPair.with { host in
                let configuration = PacketLinkConfiguration(profile: .open, capture: PacketCapture(path: "/dev/full"))
                let outcome = try await withPacketLink(configuration, client: client.device, host: host.device) {
                    link in
                    let packet = TestPacket.up(TestPacket.udp(1, 2, [1]))
                    for _ in 0..<10 {
                        try client.send(packet.bytes)
                        #expect(try TestPacket(host.receive()) == packet)
                    }
                    await link.close()
                    return try await link.counters().capture
                }
                #expect(outcome?.failure == .capture(path: "/dev/full", code: ENOSPC))
            }
        }
    }

    @Test(.enabled(if: FilePath.tshark != nil, "tshark is not installed"))
    func tsharkReadsIt() async throws {
        let (_, _, path) = try capture(lossy) { link in
            link.send(.up(TestPacket.tcp(4000, 80, seq: 1, flags: TestPacket.syn)))
            link.send(.down(TestPacket.tcp(80, 4000, seq: 1, ack: 2, flags: TestPacket.syn | TestPacket.ack), v6: true))
            _ = link.finish()
        }
        defer { unlink(path.string) }
        let program = try #require(FilePath.tshark)
        let fields = ["frame.interface_name", "frame.packet_flags_direction", "tcp.srcport", "frame.comment"]
        let arguments = ["-n", "-r", path.string, "-T", "fields", "-E", "separator=;"] + fields.flatMap { ["-e", $0] }
        let output = try run(program, arguments)
        #expect(
            output == """
                client;0x00000002;4000;
                host;0x00000002;80;dropped: rule loss, L2 conn=2 down syn tx=1 drop
                host;0x00000001;4000;

                """)
    }
}

extension FilePath {
    fileprivate static var tshark: FilePath? {
        let places: [FilePath] = ["/usr/bin/tshark", "/usr/local/bin/tshark"]
        return places.first { access($0.string, X_OK) == 0 }
    }
}

/// Runs a program, and returns its output.
private func run(_ program: FilePath, _ arguments: [String]) throws -> String {
    let pipe = try FileDescriptor.pipe()
    defer { try? pipe.readEnd.close() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd.rawValue, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, pipe.readEnd.rawValue)
    var words: [UnsafeMutablePointer<CChar>?] = ([program.string] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var home: [UnsafeMutablePointer<CChar>?] = [strdup("HOME=/tmp"), nil]
    defer { home.forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, program.string, &actions, nil, &words, &home)
    try pipe.writeEnd.close()
    guard code == 0 else { throw Errno(rawValue: code) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = try piece.withUnsafeMutableBytes({ try pipe.readEnd.read(into: $0) }), count > 0 {
        output += piece[..<count]
    }
    var status: CInt = 0
    waitpid(pid, &status, 0)
    return String(decoding: output, as: UTF8.self)
}
