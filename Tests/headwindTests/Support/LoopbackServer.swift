import Glibc
import SystemPackage

/// A server on loopback that answers every connection with the same body, over HTTP/1.0.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let listener: FileDescriptor

    /// Listens on 127.0.0.1, or on ::1 alone.
    init(body: [UInt8], isIPv6: Bool = false) throws {
        let socket = socket(
            isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = FileDescriptor(rawValue: socket)
        var (name, name6) = (sockaddr_in(), sockaddr_in6())
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        name6.sin6_family = sa_family_t(AF_INET6)
        name6.sin6_addr = in6addr_loopback
        let isBound = isIPv6 ? Self.listen(socket, at: &name6) : Self.listen(socket, at: &name)
        guard isBound else { throw Errno(rawValue: errno) }
        port = UInt16(bigEndian: isIPv6 ? name6.sin6_port : name.sin_port)
        let thread = Thread { [listener] in Self.serve(listener, body) }
        thread.start()
    }

    private static func listen<Name>(_ socket: Int32, at name: inout Name) -> Bool {
        var length = socklen_t(MemoryLayout<Name>.size)
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && Glibc.listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
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

    /// A thread that is never joined.
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
