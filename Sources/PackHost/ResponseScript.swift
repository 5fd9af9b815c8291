import NIOCore
import NIOHTTP1
import PackFormat

/// A response as a list of steps: what an honest host would do, bent by the faults that concern it.
///
/// A script is a value, made before its first byte is sent. Playing it involves no further decision.
struct ResponseScript {
    /// One thing to do.
    ///
    /// Places and ranges are in the resource, whatever range was asked for.
    enum Step: Hashable {
        /// Send the head.
        case head
        /// Send these bytes.
        case body(Range<Int64>)
        /// Send this, which is no part of the resource.
        case text([UInt8])
        /// Send CRC-32 and size of what was sent of the resource, as gzip ends: RFC 1952 section 2.3.1.
        case checksum
        /// Send the byte at this place with its lowest bit flipped.
        case flipped(Int64)
        /// Send nothing for so long, from when the client has acknowledged what went before.
        case pause(Duration)
        /// Send nothing for ever.
        case silence
        /// End the connection; by a reset only when the client has acknowledged what went before.
        case cut(HostFault.Cut)
    }

    /// Where the bytes of the steps come from.
    enum Source {
        case bytes(ByteBuffer)
        case file
    }

    var head: HTTPResponseHead
    var steps: [Step] = [.head]
    var source = Source.bytes(ByteBuffer())
    /// Where the body begins in the resource.
    var from: Int64 = 0
    /// Bytes of body that an uncut response has.
    var planned: Int64 = 0
    /// The speed of the body in bytes per second; nil means as fast as it goes.
    var pace: Int64?
    /// What is done to the bytes of the source before they are sent; nil means nothing.
    var alteration: Alteration?
    /// Whether the connection ends with the response.
    var endsConnection = false
    /// Whether a step wants the checksum of what is sent.
    var isChecked = false
    /// Fields behind the last chunk; nil where the body does not come in chunks.
    var trailers: HTTPHeaders?
    /// Which faults take part: one line each.
    var decisions: [String] = []

    init(_ status: Int, for request: HTTPRequestHead?, by host: ResponseContext) {
        head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status))
        head.headers.add(name: "Date", value: host.now.text)
        head.headers.add(name: "Headwind-Run", value: host.nonce)
        endsConnection = request.map { !$0.isKeepAlive || $0.announcesBody } ?? true
    }

    /// A short text as the body; of a response to HEAD only its length.
    mutating func answer(_ text: String, as mediaType: String = "text/plain; charset=utf-8", to method: HTTPMethod?) {
        guard head.status.mayHaveResponseBody else { return }
        let body = ByteBuffer(string: text)
        head.headers.add(name: "Content-Type", value: mediaType)
        head.headers.add(name: "Content-Length", value: String(body.readableBytes))
        guard method != .HEAD else { return }
        source = .bytes(body)
        planned = Int64(body.readableBytes)
        steps.append(.body(0..<planned))
    }

    /// States how the connection goes on, RFC 9112 §9.3: the last thing that is done to a script.
    mutating func concludeHead(for request: HTTPRequestHead?) {
        if endsConnection {
            head.headers.add(name: "Connection", value: "close")
        } else if request?.version == .http1_0 {
            head.headers.add(name: "Connection", value: "keep-alive")
        }
    }
}

/// What every response of a host states.
struct ResponseContext {
    let nonce: String
    let now: HTTPDate
}

extension ResponseScript {
    /// A response that says why there is no other one.
    static func refusal(
        _ status: HTTPResponseStatus,
        of request: HTTPRequestHead?,
        by host: ResponseContext,
        fields: [(String, String)] = [],
        endsConnection: Bool = false
    ) -> ResponseScript {
        var script = ResponseScript(Int(status.code), for: request, by: host)
        script.endsConnection = script.endsConnection || endsConnection
        script.head.headers.add(contentsOf: fields)
        script.answer("\(status.code) \(status.reasonPhrase)\n", to: request?.method)
        script.concludeHead(for: request)
        return script
    }
}

extension HTTPRequestHead {
    /// Whether content follows the head, RFC 9112 §6.3.
    ///
    /// None is ever read here, so the connection cannot go on after it.
    var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
    }
}
