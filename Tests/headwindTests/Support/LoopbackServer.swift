import Glibc
import SystemPackage

/// A server on this machine's loopback that answers every connection with the same body, by HTTP/1.0.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let listener: FileDescriptor

    init(body: [UInt8]) throws {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = FileDescriptor(rawValue: socket)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw Errno(rawValue: errno) }
        port = UInt16(bigEndian: name.sin_port)
        let thread = Thread { [listener] in Self.serve(listener, body) }
        thread.start()
    }

    func close() {
        shutdown(listener.rawValue, Int32(SHUT_RDWR))
    }

    private static func serve(_ listener: FileDescriptor, _ body: [UInt8]) {
        let head = Array("HTTP/1.0 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
        while true {
            let connection = accept(listener.rawValue, nil, nil)
            guard connection >= 0 else { break }
            var request = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &request, request.count)
            _ = try? FileDescriptor(rawValue: connection).writeAll(head + body)
            shutdown(connection, Int32(SHUT_WR))
            while read(connection, &request, request.count) > 0 {}
            Glibc.close(connection)
        }
        try? listener.close()
    }

    /// A thread that nobody waits for.
    private final class Thread {
        private let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func start() {
            var thread = pthread_t()
            let this = Unmanaged.passRetained(self)
            pthread_create(
                &thread, nil,
                { this in
                    guard let this else { return nil }
                    Unmanaged<Thread>.fromOpaque(this).takeRetainedValue().body()
                    return nil
                }, this.toOpaque())
            pthread_detach(thread)
        }
    }
}
