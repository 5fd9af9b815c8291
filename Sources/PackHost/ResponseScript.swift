import NIOCore
import NIOHTTP1
import PackFormat

/// A response as a list of steps: those of an honest host, changed by the faults that concern it.
///
/// A script is a value, made before its first byte is sent. Playing it involves no further decision.
struct ResponseScript {
    /// One thing to do.
    ///
    /// Places and ranges are in the resource, whatever range was requested.
    enum Step: Hashable {
        /// Send the head.
        case head
        /// Send these bytes.
        case body(Range<Int64>)
        /// Send these bytes, which are not part of the resource.
        case text([UInt8])
        /// Send the CRC-32 and the size of the bytes that were sent of the resource, as gzip ends: RFC 1952 section
        /// 2.3.1.
        case checksum
        /// Send the byte at this place with its lowest bit flipped.
        case flipped(Int64)
        /// Send nothing for this long, from when the client has acknowledged everything before.
        case pause(Duration)
        /// Send nothing, without an end.
        case silence
        /// End the connection or the stream; except by a FIN, only when the client has acknowledged everything before.
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
    /// Bytes of the body without a cut.
    var planned: Int64 = 0
    /// The speed of the body in bytes per second; nil means as fast as possible.
    var pace: Int64?
    /// The change to the source's bytes before they are sent; nil means none.
    var alteration: Alteration?
    /// Whether the connection ends with the response.
    var endsConnection = false
    /// Whether a step needs the checksum of the bytes that are sent.
    var isChecked = false
    /// Trailer fields after the last chunk; nil if the body does not come in chunks.
    var trailers: HTTPHeaders?
    /// The faults that take part, one line each.
    var decisions: [String] = []

    init(_ status: Int, for request: HTTPRequestHead?, by host: ResponseContext) {
        head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status))
        head.headers.add(name: "Date", value: host.now.text)
        head.headers.add(name: "Headwind-Run", value: host.nonce)
        endsConnection = request.map { !$0.isKeepAlive || $0.announcesBody } ?? true
    }

    /// Makes the status the text of the body.
    mutating func answerStatus(to method: HTTPMethod?) {
        answer("\(head.status.code) \(head.status.reasonPhrase)\n", to: method)
    }

    /// Makes a short text the body; for HEAD, states only its type and length.
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

    /// States how the connection continues, RFC 9112 §9.3; must be the last change to a script.
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
    /// A response that states why the request was refused.
    static func refusal(
        _ status: HTTPResponseStatus, of request: HTTPRequestHead?, by host: ResponseContext,
        fields: [(String, String)] = []
    ) -> ResponseScript {
        var script = ResponseScript(Int(status.code), for: request, by: host)
        script.head.headers.add(contentsOf: fields)
        script.answerStatus(to: request?.method)
        script.concludeHead(for: request)
        return script
    }
}

extension HTTPRequestHead {
    /// Whether content follows the head, RFC 9112 §6.3.
    ///
    /// Content is never read here, so the connection cannot continue after it.
    var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
    }
}
