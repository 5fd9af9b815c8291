import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

/// Bytes that the kernel moves from socket to socket are those that the program would pass on.
@Suite(.timeLimit(.minutes(1)))
struct SpliceTests {
    private static let size = 24 * 1024 * 1024

    private static let content = pattern(size)

    @Test(
        "each direction, also to a reader that pauses for a while", arguments: [Direction.downlink, .uplink],
        [false, true])
    func movesBulk(_ direction: Direction, waits: Bool) async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connect()
                let host = try await listener.accept()
                // The first bytes of a client are checked for a request.
                try await client.send("hi")
                #expect(await host.receiveText(2) == "hi")
                let (sender, receiver) = direction == .downlink ? (host, client) : (client, host)
                if waits { try await receiver.channel.setOption(.autoRead, value: false).get() }
                let sending = Task { try await sender.send(Self.content) }
                if waits {
                    var (last, now) = (Int64(-1), Int64(0))
                    while last != now {
                        try await Task.sleep(for: .milliseconds(200))
                        (last, now) = (now, try await link.counters().payload[direction])
                    }
                    #expect(now < Self.size)
                    try await receiver.channel.setOption(.autoRead, value: true).get()
                }
                #expect(await receiver.receive(Self.size) == Self.content)
                try await sending.value
                let counters = try await link.counters()
                #expect(counters.payload[direction] == Int64(Self.size) + (direction == .uplink ? 2 : 0))
                #expect(counters.spliced[direction] > 0 && counters.spliced[direction] <= counters.relayed[direction])
                #expect(counters.spliced[direction == .downlink ? .uplink : .downlink] == 0)
            }
        }
    }

    @Test("a link that is shaped meanwhile keeps every byte in order")
    func goesOverToTheModel() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connect(reads: false)
                let host = try await listener.accept()
                let sending = Task { try await host.send(Self.content) }
                while try await link.counters().spliced.downlink == 0 { try await Task.sleep(for: .milliseconds(1)) }
                try await link.update { $0.downlink.rate = BitRate(bitsPerSecond: 2_000_000_000) }
                try await client.channel.setOption(.autoRead, value: true).get()
                #expect(await client.receive(Self.size) == Self.content)
                try await sending.value
                let counters = try await link.counters()
                #expect(counters.spliced.downlink > 0 && counters.link.downlink.payload > 0)
            }
        }
    }

    @Test("bytes before a reset arrive, and the reset stays a reset", arguments: 0..<8)
    func passesResets(_ turn: Int) async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connect()
                let host = try await listener.accept()
                try await host.send(Array(Self.content.prefix(2_000_000 + turn * 100_000)))
                try await host.reset()
                let (bytes, ending) = await client.receiveAll()
                #expect(ending == .reset && bytes == Array(Self.content.prefix(bytes.count)))
            }
        }
    }

    @Test("small messages use no pipe")
    func copiesMessages() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connect()
                let host = try await listener.accept()
                for number in 0..<50 {
                    try await client.send(pattern(1200, from: number))
                    #expect(await host.receive(1200) == pattern(1200, from: number))
                }
                #expect(try await link.counters().spliced.uplink == 0)
            }
        }
    }

    @Test("bytes that are sent at once do not overtake those that wait")
    func keepsTheOrder() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connect()
                try await client.send("hi")
                #expect(try await listener.accept().receiveText(2) == "hi")
                try await link.engine.run { engine in
                    let socket = try #require(engine.connections.values.first?.client)
                    for text in ["one ", "two "] { socket.send(ByteBuffer(string: text)) }
                    socket.write(ByteBuffer(string: "three "))
                    socket.send(ByteBuffer(string: "four"))
                }
                #expect(await client.receiveText(18) == "one two three four")
            }
        }
    }

    @Test("the server name of a TLS client is an event")
    func namesServer() async throws {
        let name = Array("packs.example".utf8)
        let list = [0, UInt8(name.count + 3), 0, 0, UInt8(name.count)] + name
        let extensions = [0, 0, 0, UInt8(list.count)] + list
        let body =
            [3, 3] + [UInt8](repeating: 1, count: 32) + [0, 0, 2, 0x13, 1, 1, 0, 0, UInt8(extensions.count)]
            + extensions
        let hello = [22, 3, 1, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connectToProxy()
                try await client.send("CONNECT \(listener.endpoint) HTTP/1.1\r\n\r\n")
                let host = try await listener.accept()
                #expect(await client.receiveText(39) == "HTTP/1.1 200 Connection established\r\n\r\n")
                for byte in hello { try await client.send([byte]) }
                #expect(await host.receive(hello.count) == hello)
                let found = await link.event { if case .serverName(let name) = $0.kind { name } else { nil } }
                #expect(found == "packs.example")
            }
        }
    }
}
