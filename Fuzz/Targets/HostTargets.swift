import Glibc
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SystemPackage

@testable import HostTLS
@testable import PackFormat
@testable import PackHost

private let manifest = Array("<manifest>0123456789</manifest>".utf8)

/// A new connection of a pack host.
private func connection() throws -> (channel: EmbeddedChannel, pipeline: ConnectionPipeline) {
    var configuration = HostConfiguration(site: Site(manifest: manifest, tagTable: Array("<table/>".utf8), packs: []))
    configuration.nonce = "fuzz"
    configuration.limits.headBytes = 2048
    let core = try HostCore(configuration, events: AsyncStream.makeStream(of: HostEvent.self).continuation)
    let channel = EmbeddedChannel()
    guard let number = core.open(channel) else { throw Finding("a host takes no connection") }
    return (channel, ConnectionPipeline(number, core: core))
}

/// Sends requests to a pack host, in any pieces: each response is valid HTTP, and a part has the right bytes.
func fuzzHost(_ bytes: [UInt8]) throws {
    let (channel, pipeline) = try connection()
    try pipeline.build(channel)
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    var sent: [UInt8] = []
    func take() throws {
        channel.embeddedEventLoop.run()
        while case .byteBuffer(let buffer)? = try channel.readOutbound(as: IOData.self) {
            sent += buffer.readableBytesView
        }
    }
    // The first byte is the length of each piece.
    let size = max(1, Int(bytes.first ?? 0))
    for start in stride(from: 1, to: bytes.count, by: size) where channel.isActive {
        // A client's mistake also throws an error here, in addition to the response.
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
        try take()
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    try take()
    _ = try? channel.finish(acceptAlreadyClosed: true)
    let first = bytes.dropFirst().drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    try check(responses: sent, to: first.starts(with: "HEAD ".utf8) ? .HEAD : .GET)
}

/// Checks the first response by RFC 9110: its status, its length, and for a part the requested bytes.
private func check(responses sent: [UInt8], to method: HTTPMethod) throws {
    guard !sent.isEmpty else { return }
    let client = EmbeddedChannel()
    try client.pipeline.syncOperations.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
    defer { _ = try? client.finish(acceptAlreadyClosed: true) }
    let request = HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: ["Host": "h"])
    _ = try client.writeOutbound(HTTPClientRequestPart.head(request))
    // Later responses have no request here, which is an error of this client.
    _ = try? client.writeInbound(ByteBuffer(bytes: sent))
    guard case .head(let head)? = try? client.readInbound(as: HTTPClientResponsePart.self) else {
        throw Finding("an answer is no response: \(String(decoding: sent.prefix(200), as: UTF8.self))")
    }
    try demand((200...599).contains(head.status.code), "the status is \(head.status.code)")
    var body: [UInt8] = []
    while case .body(let part)? = try? client.readInbound(as: HTTPClientResponsePart.self) {
        body += part.readableBytesView
    }
    guard head.status == .partialContent else { return }
    let range = head.headers["Content-Range"]
    let words = range.first?.split(whereSeparator: { " -/".contains($0) }).compactMap { Int($0) } ?? []
    try demand(range.count == 1 && words.count == 3, "a part says \(range)")
    try demand(words[0] <= words[1] && words[1] < words[2], "a part is the bytes \(words)")
    try demand(head.headers["Content-Length"] == ["\(words[1] - words[0] + 1)"], "a part has another length")
    guard words[2] == manifest.count, !body.isEmpty else { return }
    try demand(manifest[words[0]...words[1]].starts(with: body), "a part has other bytes")
}

/// Sends HTTP/2 frames to a pack host: it answers with frames, for each stream a head, bytes, and one end.
///
/// An input has frames in a short form: type, flags, stream and length, a byte each, then `length` bytes.
func fuzzFrames(_ bytes: [UInt8]) throws {
    let (channel, pipeline) = try connection()
    try pipeline.buildHTTP2(channel)
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    var sent: [UInt8] = []
    func take(_ input: [UInt8]) throws {
        if channel.isActive { _ = try? channel.writeInbound(ByteBuffer(bytes: input)) }
        channel.embeddedEventLoop.run()
        while case .byteBuffer(let buffer)? = try channel.readOutbound(as: IOData.self) {
            sent += buffer.readableBytesView
        }
    }
    try take(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
    var rest = bytes[...]
    while rest.count >= 4 {
        let head = Array(rest.prefix(4))
        let payload = rest.dropFirst(4).prefix(Int(head[3]))
        rest = rest.dropFirst(4 + payload.count)
        try take([0, 0, UInt8(payload.count), head[0], head[1], 0, 0, 0, head[2]] + payload)
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    try take([])
    _ = try? channel.finish(acceptAlreadyClosed: true)
    try check(frames: sent)
}

/// Checks frames by RFC 9113: SETTINGS first, and in each stream HEADERS before DATA, and nothing after its end.
private func check(frames sent: [UInt8]) throws {
    var rest = sent[...]
    var (begun, ended): (Set<UInt32>, Set<UInt32>) = ([], [])
    var isFirst = true
    while !rest.isEmpty {
        try demand(rest.count >= 9, "\(rest.count) bytes are no head of a frame")
        let head = Array(rest.prefix(9))
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        try demand(rest.count >= 9 + length, "a frame of \(length) bytes is cut")
        let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let (type, endsStream) = (head[3], head[4] & 1 == 1)
        try demand(!isFirst || type == 4, "the first frame is of type \(type)")
        isFirst = false
        if type <= 1 {
            try demand(!ended.contains(stream), "stream \(stream) goes on after its end")
            try demand(type == 1 || begun.contains(stream), "stream \(stream) has DATA before HEADERS")
            begun.insert(stream)
            if endsStream { ended.insert(stream) }
        }
        if type == 3 { ended.insert(stream) }
        rest = rest.dropFirst(9 + length)
    }
}

/// Sends the start of TLS to a server: it does not crash, and passes no bytes on before a handshake.
func fuzzHello(_ bytes: [UInt8]) throws {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers(try Handshakes.shared.get()())
    try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let middle = bytes.count / 2
    for piece in [bytes[..<middle], bytes[middle...]] where channel.isActive {
        _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
        channel.embeddedEventLoop.run()
        let read = try? channel.readInbound(as: ByteBuffer.self)
        try demand(read == nil, "bytes came through without a handshake")
    }
    var sent = 0
    while case .byteBuffer(let buffer)? = try channel.readOutbound(as: IOData.self) { sent += buffer.readableBytes }
    try demand(sent < 16 << 10, "\(sent) bytes answer \(bytes.count)")
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    _ = try? channel.finish(acceptAlreadyClosed: true)
}

/// Makes the handlers of a TLS server, with a certificate that is made once.
private enum Handshakes {
    static let shared = Result { try RunAuthority().handlerFactory(names: ["localhost"]) }
}
