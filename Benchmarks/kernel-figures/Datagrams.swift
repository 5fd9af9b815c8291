import Glibc
import SystemPackage

/// A socket as a plain program uses it, on a thread that may wait.
struct PlainEnd: Sendable {
    let descriptor: FileDescriptor

    /// Takes over a descriptor and makes it blocking: a receive waits at most `patience` (default: 5 s).
    init(_ descriptor: FileDescriptor, patience: Duration = .seconds(5)) {
        self.descriptor = descriptor
        _ = fcntl(descriptor.rawValue, F_SETFL, fcntl(descriptor.rawValue, F_GETFL) & ~O_NONBLOCK)
        var room: Int32 = 8 << 20
        setsockopt(descriptor.rawValue, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        limit(patience)
    }

    func limit(_ patience: Duration) {
        let (seconds, attoseconds) = patience.components
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(descriptor.rawValue, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Has the kernel split what is sent into datagrams of `bytes` bytes: UDP_SEGMENT in udp(7).
    ///
    /// This takes less time than sending each datagram.
    func split(into bytes: Int32) {
        var bytes = bytes
        setsockopt(descriptor.rawValue, Int32(IPPROTO_UDP), 103, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    func connect(to host: String, port: UInt16) throws {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &name.sin_addr)
        let result = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    func accept() throws -> PlainEnd {
        let answer = Glibc.accept(descriptor.rawValue, nil, nil)
        guard answer >= 0 else { throw Errno(rawValue: errno) }
        return PlainEnd(FileDescriptor(rawValue: answer))
    }

    /// Sends bytes, and by default waits for room; false if there is no room, or no socket listens.
    @discardableResult
    func send(_ bytes: [UInt8], waits: Bool = true) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        return Glibc.send(descriptor.rawValue, bytes, bytes.count, flags) == bytes.count
    }

    /// Receives into `room`, and returns the count of bytes; nil if none arrive in time.
    func receive(_ room: inout [UInt8]) -> Int? {
        let count = recv(descriptor.rawValue, &room, room.count, 0)
        return count > 0 ? count : nil
    }

    /// Echoes each datagram to its sender, until none arrives in time.
    func echo() {
        var room = [UInt8](repeating: 0, count: 2048)
        while true {
            var name = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let sent = withUnsafeMutablePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int in
                    let count = recvfrom(descriptor.rawValue, &room, room.count, 0, address, &size)
                    return count > 0 ? sendto(descriptor.rawValue, room, count, 0, address, size) : -1
                }
            }
            if sent < 0 { return }
        }
    }

    func close() { try? descriptor.close() }
}

extension Task where Success: Sendable, Failure == Never {
    /// Runs blocking work on a thread of its own.
    static func onThread(_ body: @escaping @Sendable () -> Success) -> Task<Success, Never> {
        let (results, continuation) = AsyncStream<Success>.makeStream()
        var thread = pthread_t()
        let owned = Unmanaged.passRetained(
            ThreadBody {
                continuation.yield(body())
                continuation.finish()
            })
        let failure = pthread_create(
            &thread, nil,
            { body in
                if let body { Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
                return nil
            }, owned.toOpaque())
        precondition(failure == 0, "a thread can be started")
        pthread_detach(thread)
        return Task {
            for await result in results { return result }
            preconditionFailure("a thread has a result")
        }
    }
}

private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}
