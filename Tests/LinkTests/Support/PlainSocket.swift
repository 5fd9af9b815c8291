import Glibc
import SystemPackage

/// A socket whose calls block, up to a limit.
struct PlainSocket: Sendable {
    let descriptor: FileDescriptor

    /// Takes a descriptor over; `close()` closes it.
    init(_ descriptor: FileDescriptor, patience: Duration = .seconds(20)) {
        self.descriptor = descriptor
        let flags = fcntl(descriptor.rawValue, F_GETFL)
        _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK)
        limit(patience)
    }

    /// A TCP socket in this machine's network.
    static func make() throws -> PlainSocket {
        // SOCK_STREAM, whose name depends on the order of C modules.
        let answer = Glibc.socket(AF_INET, 1, 0)
        guard answer >= 0 else { throw Errno(rawValue: errno) }
        _ = fcntl(answer, F_SETFD, FD_CLOEXEC)
        return PlainSocket(FileDescriptor(rawValue: answer))
    }

    /// Limits how long a call blocks.
    func limit(_ patience: Duration) {
        let (seconds, attoseconds) = patience.components
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor.rawValue, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    func connect(to address: String, port: UInt16) throws {
        var target = Self.address(address, port)
        let answer = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard answer == 0 else { throw Errno(rawValue: errno) }
    }

    /// Listens on a free port of this machine's loopback, and returns the port.
    func listen() throws -> UInt16 {
        var local = Self.address("127.0.0.1", 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let answer = withUnsafeMutablePointer(to: &local) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor.rawValue, address, size) != 0 || Glibc.listen(descriptor.rawValue, 64) != 0
                    ? -1 : getsockname(descriptor.rawValue, address, &size)
            }
        }
        guard answer == 0 else { throw Errno(rawValue: errno) }
        return UInt16(bigEndian: local.sin_port)
    }

    func accept() throws -> PlainSocket {
        let answer = Glibc.accept(descriptor.rawValue, nil, nil)
        guard answer >= 0 else { throw Errno(rawValue: errno) }
        return PlainSocket(FileDescriptor(rawValue: answer))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(
                descriptor.rawValue, Array(bytes[sent...]), bytes.count - sent, Int32(MSG_NOSIGNAL))
            guard count > 0 else { throw Errno(rawValue: errno) }
            sent += count
        }
    }

    /// Receives at most `count` bytes; empty at the end of the stream.
    func receive(_ count: Int = 65_536) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = recv(descriptor.rawValue, &bytes, count, 0)
        guard got >= 0 else { throw Errno(rawValue: errno) }
        return Array(bytes[..<got])
    }

    /// Receives `count` bytes; fewer only if the stream ends before.
    func receiveAll(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, case let piece = try receive(count - bytes.count), !piece.isEmpty { bytes += piece }
        return bytes
    }

    func close() { try? descriptor.close() }

    private static func address(_ text: String, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return address
    }
}
