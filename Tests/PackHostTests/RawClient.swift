import Glibc
import NIOPosix

/// A client on plain blocking sockets that shares no code with the host.
///
/// Every call has a deadline of 5 s.
struct RawClient {
    /// How a connection ended, as the client's kernel saw it.
    enum End: Equatable {
        case fin
        case reset
        /// Neither of them within the deadline.
        case open
    }

    struct SocketError: Error {
        let call: String
        let code: Int32
    }

    let descriptor: Int32
    private var socket: Int32 { descriptor }

    private init(socket: Int32) { descriptor = socket }

    /// Connects to 127.0.0.1, runs `body` on its own thread, and closes the connection.
    static func connected<Result: Sendable>(
        to port: Int, deadline: Duration = .seconds(5), _ body: @escaping @Sendable (RawClient) throws -> Result
    ) async throws -> Result {
        try await threads.runIfActive {
            let client = try RawClient.open(port, deadline: deadline)
            defer { client.close() }
            return try body(client)
        }
    }

    /// Sends `request` and reads until the connection ends.
    static func exchange(_ port: Int, _ request: String, finish: Bool = false) async throws -> Reply {
        try await connected(to: port) { client in
            try client.send(request)
            if finish { client.finish() }
            let clock = ContinuousClock()
            let start = clock.now
            let (bytes, end) = client.readToEnd()
            return Reply(bytes: bytes, end: end, duration: clock.now - start)
        }
    }

    static func open(_ port: Int, deadline: Duration = .seconds(5)) throws -> RawClient {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw SocketError(call: "socket", code: errno) }
        let client = RawClient(socket: socket)
        let parts = deadline.components
        var time = timeval(tv_sec: Int(parts.seconds), tv_usec: Int(parts.attoseconds / 1_000_000_000_000))
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            defer { client.close() }
            throw SocketError(call: "connect", code: errno)
        }
        return client
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw SocketError(call: "send", code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the client's own direction.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads some bytes; if there are none, returns how the connection ended.
    func read(_ most: Int = 64 << 10) -> (bytes: [UInt8], end: End?) {
        var buffer = [UInt8](repeating: 0, count: most)
        let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
        if count > 0 { return (Array(buffer.prefix(count)), nil) }
        if count == 0 { return ([], .fin) }
        return ([], errno == ECONNRESET ? .reset : .open)
    }

    func readToEnd() -> (bytes: [UInt8], end: End) {
        var bytes: [UInt8] = []
        while true {
            let (more, end) = read()
            if let end { return (bytes, end) }
            bytes += more
        }
    }

    /// Reads until `count` bytes have arrived or the connection ends.
    func read(exactly count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let (more, end) = read(count - bytes.count)
            if end != nil { break }
            bytes += more
        }
        return bytes
    }

    /// Reads one response with its Content-Length.
    func readResponse(hasBody: Bool = true) -> Reply {
        let head = Array(readResponseHead().utf8)
        let length = Reply(bytes: head, end: .open, duration: .zero)["Content-Length"].flatMap { Int($0) } ?? 0
        return Reply(bytes: head + read(exactly: hasBody ? length : 0), end: .open, duration: .zero)
    }

    /// Reads up to the end of a response's head.
    func readResponseHead() -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let (more, end) = read(1)
            if end != nil { break }
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func close() { Glibc.close(socket) }

    /// Blocking clients must not occupy the threads on which tests run and hosts open files.
    static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 16)
        pool.start()
        return pool
    }()
}
