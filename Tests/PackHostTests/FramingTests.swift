import PackFormat
import Testing

@testable import PackHost

/// Bodies with unusual framing, encoding or wrapping, as seen on the wire.
@Suite("Framing")
struct FramingTests {
    private let small = TestSite.small

    private func exchange(
        _ notation: String..., fields: [String] = [], version: String = "1.1", connection: String = "close"
    ) async throws -> (Reply, [HostEvent]) {
        let faults = try notation.map { try HostFault(parsing: $0) }
        let request = get(fields: fields, connection: connection).replacing("HTTP/1.1", with: "HTTP/\(version)")
        return try await TestSite.with(faults: faults) { site in
            try await site.host { try await RawClient.exchange($0.port, request) }
        }
    }

    @Test(arguments: [("chunked", ""), ("trailers", "Headwind-SHA256: \(Digest.sha256Hex(TestSite.small))\r\n")])
    func comesInChunks(framing: String, trailers: String) async throws {
        let (reply, events) = try await exchange("framing=\(framing)")
        #expect(reply["Transfer-Encoding"] == "chunked" && reply["Content-Length"] == nil)
        #expect(reply["Trailer"] == (trailers.isEmpty ? nil : "Headwind-SHA256"))
        #expect(reply.body == Array("3e8\r\n".utf8) + small + Array("\r\n0\r\n\(trailers)\r\n".utf8))
        #expect(reply.end == .fin)
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 framing=\(framing)"])
        #expect(events.transfers.map(\.handed) == [1000] && events.transfers.map(\.cause) == [.complete])
    }

    @Test func theLastChunkOfABodyThatIsCutIsMissing() async throws {
        let (reply, events) = try await exchange("framing=chunked", "cut@400")
        #expect(reply.body == Array("190\r\n".utf8) + small[..<400] + Array("\r\n".utf8))
        #expect(events.transfers.map(\.cause) == [.cut(reset: false)])
    }

    @Test(arguments: ["framing=until-close", "framing=chunked"])
    func endsWithTheConnection(notation: String) async throws {
        // HTTP/1.0 has no chunks.
        let (reply, _) = try await exchange(notation, version: notation.contains("chunked") ? "1.0" : "1.1")
        #expect(reply["Content-Length"] == nil && reply["Transfer-Encoding"] == nil && reply["Connection"] == "close")
        #expect(reply.body == small && reply.end == .fin)
    }

    @Test func aConnectionContinuesAfterChunks() async throws {
        let faults = [try HostFault(parsing: "try=1 framing=trailers")]
        let (replies, _) = try await TestSite.with(faults: faults) { site in
            try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    try client.send(get(connection: "keep-alive") + get())
                    return client.readToEnd().bytes
                }
            }
        }
        #expect(
            String(decoding: replies, as: UTF8.self).split(
                separator: "HTTP/1.1 200 OK", omittingEmptySubsequences: false
            ).count == 3)
    }

    @Test func encodesUnasked() async throws {
        let (reply, events) = try await exchange("encoding=gzip")
        #expect(reply["Content-Encoding"] == "gzip")
        let checksum = CRC32.checksum(of: small)
        let end = [checksum, 1000].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        let start: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 0, 0xE8, 3, 0x17, 0xFC]
        #expect(reply.body == start + small + [1, 0, 0, 255, 255] + end)
        #expect(reply["Content-Length"] == "\(reply.body.count)")
        #expect(events.transfers.map(\.handed) == [1000])
    }

    @Test func encodesByBrotli() async throws {
        let (reply, _) = try await exchange("encoding=br")
        #expect(reply["Content-Encoding"] == "br")
        // Three bits for the kind of block, then its length less one, 999, and the bit of a stored block.
        #expect(reply.body == [0x0C, 0x38, 0x1F, 0x08] + small + [3])
        #expect(reply["Content-Length"] == "1005")
    }

    @Test func aPartIsNotEncoded() async throws {
        let (reply, events) = try await exchange("encoding=gzip", fields: ["Range: bytes=400-"])
        #expect(reply.status == 206 && reply["Content-Encoding"] == nil && events.decisions.isEmpty)
    }

    @Test func wrapsAPart() async throws {
        let (reply, events) = try await exchange("multipart", fields: ["Range: bytes=400-"])
        let boundary = "headwind-\(Digest.sha256Hex(small).prefix(16))"
        #expect(reply.status == 206 && reply["Content-Range"] == nil)
        #expect(reply["Content-Type"] == "multipart/byteranges; boundary=\(boundary)")
        let begin = "--\(boundary)\r\nContent-Type: application/zip\r\nContent-Range: bytes 400-999/1000\r\n\r\n"
        #expect(reply.body == Array(begin.utf8) + small[400...] + Array("\r\n--\(boundary)--\r\n".utf8))
        #expect(reply["Content-Length"] == "\(reply.body.count)")
        #expect(events.transfers.map(\.handed) == [600])
        let (whole, others) = try await exchange("multipart")
        #expect(whole.body == small && others.decisions.isEmpty)
    }

    @Test func refusesASatisfiableRange() async throws {
        let (reply, events) = try await exchange("refuse-range", fields: ["Range: bytes=400-"])
        #expect(reply.status == 416 && reply["Content-Range"] == "bytes */1000")
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 refuse-range"])
        let (whole, others) = try await exchange("refuse-range")
        #expect(whole.body == small && others.decisions.isEmpty)
    }
}
