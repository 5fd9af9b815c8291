import Glibc
import LinkModel
import SystemPackage
import Testing

@testable import PacketLink

/// The parts of packets that a capture keeps when payloads are secret.
@Suite(.timeLimit(.minutes(1)))
struct CaptureHeadTests {
    private static let secret = Array("planted-secret".utf8)

    private func head(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(PacketHead.length(of: bytes.span))) }

    @Test(arguments: [false, true]) func onlyHeadsAndNamesAreLeft(v6: Bool) {
        let ip = v6 ? 40 : 20
        func kept(_ transport: TestPacket.Body) -> Int { head(TestPacket.up(transport, v6: v6).bytes).count - ip }
        #expect(kept(TestPacket.tcp(1, 80, seq: 1, flags: 24, Self.secret)) == 20)
        #expect(kept(TestPacket.udp(1, 443, Self.secret)) == 8)
        #expect(kept(TestPacket.udp(1, 53, Self.secret)) == 8 + Self.secret.count)
    }

    @Test func errorsQuoteNoMoreThanPorts() {
        var icmp: [UInt8] = [3, 1, 0, 0, 0, 0, 0, 0]
        icmp += TestPacket.up(TestPacket.tcp(1, 80, seq: 1, flags: 24, Self.secret)).bytes
        let packet = Self.ip(1, icmp)
        #expect(head(packet).count == 20 + 8 + 20 + 8)
        let echo = Self.ip(1, [8, 0, 0, 0, 0, 1, 0, 1] + Self.secret)
        #expect(head(echo).count == 20 + 8)
    }

    @Test func unknownProtocolsAreCutOff() {
        #expect(head(Self.secret) == [])
        #expect(head([0x45] + Self.secret + Self.secret) == [])
        #expect(head(Self.ip(132, Self.secret)).count == 20)
        // A fragment after the first one, and a TCP header whose length exceeds the packet.
        #expect(head(Self.ip(17, Self.secret, fragment: 5)).count == 20)
        var tcp = [UInt8](repeating: 0, count: 20)
        tcp[12] = 0xF0
        #expect(head(Self.ip(6, tcp + Self.secret)).count == 20)
    }

    @Test func noMoreIsKeptThanThePacketHas() {
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var bytes = TestPacket.up(TestPacket.tcp(1, 80, seq: 1, flags: 24, Self.secret), v6: state >> 40 & 1 == 1)
                .bytes
            bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            bytes = Array(bytes.prefix(Int(state >> 45) % (bytes.count + 1)))
            #expect((0...bytes.count).contains(PacketHead.length(of: bytes.span)))
        }
    }

    @Test func aCopyWithoutPayloadHasNone() throws {
        let folder = "/tmp/headwind-heads-\(UInt64.random(in: 0 ... .max))"
        let (whole, heads, copy) = (folder + "-whole", folder + "-heads", folder + "-copy")
        defer { for file in [whole, heads, copy] { unlink(file) } }
        for (path, hasPayload) in [(whole, true), (heads, false)] {
            let writer = try CaptureWriter(PacketCapture(path: FilePath(path), hasPayload: hasPayload))
            var link = try VirtualLink(Profile(name: "open"), recorder: writer)
            for _ in 0..<50 {
                link.send(TestPacket.up(TestPacket.tcp(1, 80, seq: 1, flags: 24, Self.secret)))
                link.send(TestPacket.down(TestPacket.udp(5, 6, Self.secret), v6: true))
            }
            _ = link.finish()
            let outcome = writer.finish()
            #expect(outcome.packets == 200 && outcome.missedPackets == 0)
            let size = try Self.read(path).count
            #expect(outcome.bytes == size)
        }
        try CaptureFile(FilePath(whole)).copy(to: FilePath(copy), .withSecrets(Array("A b c\n".utf8)))
        let copied = try Self.read(copy)
        let size = try Self.read(whole).count
        #expect(copied.count == size + 28)
        try CaptureFile(FilePath(copy)).copy(to: FilePath(copy + "2"), .withoutPayload)
        defer { unlink(copy + "2") }
        let redacted = try Self.read(copy + "2")
        #expect(!Self.contains(redacted, Self.secret) && !Self.contains(redacted, Array("A b c".utf8)))
        let recorded = try Self.read(heads)
        #expect(Self.contains(copied, Self.secret) && !Self.contains(recorded, Self.secret))
        #expect(redacted.count == recorded.count)
        // Redacting again changes nothing; an existing file is left alone.
        #expect(throws: Errno.fileExists) {
            try CaptureFile(FilePath(copy + "2")).copy(to: FilePath(copy), .withoutPayload)
        }
        unlink(copy)
        try CaptureFile(FilePath(copy + "2")).copy(to: FilePath(copy), .withoutPayload)
        #expect(try Self.read(copy) == redacted)
    }

    @Test(arguments: [
        [1, 2, 3], [6, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0], [6, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0],
    ])
    func anotherFileIsRefused(bytes: [UInt8]) throws {
        let path = "/tmp/headwind-heads-\(UInt64.random(in: 0 ... .max))"
        defer { for file in [path, path + "2"] { unlink(file) } }
        let file = try FileDescriptor.open(path, .writeOnly, options: .create, permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll(bytes) }
        #expect(throws: CaptureFile.Malformed.self) {
            try CaptureFile(FilePath(path)).copy(to: FilePath(path + "2"), .withoutPayload)
        }
    }

    private static func ip(_ transport: UInt8, _ payload: [UInt8], fragment: UInt8 = 0) -> [UInt8] {
        let length = 20 + payload.count
        return [
            0x45, 0, UInt8(length >> 8), UInt8(length & 255), 0, 0, 0, fragment, 64, transport, 0, 0, 10, 0, 0, 1, 10,
            0, 0,
            2,
        ] + payload
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while case let count = try piece.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
                bytes += piece[..<count]
            }
            return bytes
        }
    }
}
