import Foundation

extension ScriptedServer.Step {
    static func text(_ text: String) -> Self { .send(Array(text.utf8)) }

    /// A head with its status and fields, and the empty line.
    static func head(_ status: Int, _ fields: String...) -> Self {
        .text("HTTP/1.1 \(status) Status\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }
}

/// The responses of a host without faults.
enum Right {
    static let etag = "\"v1\""

    /// The whole body, or the requested part if If-Range matches.
    static func answer(_ request: ScriptedServer.Request, _ body: [UInt8], etag: String = etag) -> [ScriptedServer.Step]
    {
        guard let from = request.from, request.fields["if-range"] ?? etag == etag else {
            return whole(body, etag: etag)
        }
        guard from < body.count else {
            return [.head(416, "Content-Range: bytes */\(body.count)", "Content-Length: 0")]
        }
        return [partHead(from, body.count, etag: etag), .send(Array(body[from...]))]
    }

    static func whole(_ body: [UInt8], etag: String = etag) -> [ScriptedServer.Step] {
        [.head(200, "Content-Length: \(body.count)", "ETag: \(etag)"), .send(body)]
    }

    static func partHead(_ from: Int, _ count: Int, etag: String = etag) -> ScriptedServer.Step {
        .head(
            206, "Content-Length: \(count - from)", "Content-Range: bytes \(from)-\(count - 1)/\(count)",
            "ETag: \(etag)")
    }
}

/// Bytes that look random and are the same in every run.
func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
    }
}
