import Glibc
import SystemPackage

/// The bytes between two sockets that do not block, in both directions, each until its sender has finished.
struct SocketPump {
    fileprivate struct Way {
        let source: FileDescriptor
        let target: FileDescriptor
        var held: [UInt8] = []
        var hasEnded = false
        var isOver = false
    }

    fileprivate var ways: [Way]

    init(_ one: FileDescriptor, _ other: FileDescriptor) {
        ways = [Way(source: one, target: other), Way(source: other, target: one)]
    }

    /// Connects a socket; false where nobody answers.
    static func connect(_ socket: FileDescriptor, to address: String, port: UInt16) -> Bool {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &name.sin_addr) == 1 else { return false }
        let began = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard began == 0 || errno == EINPROGRESS else { return false }
        var event = pollfd(fd: socket.rawValue, events: Int16(POLLOUT), revents: 0)
        while poll(&event, 1, -1) < 0, errno == EINTR {}
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket.rawValue, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0
    }

    /// Carries until both directions are over, or one socket has failed.
    mutating func run() {
        while !ways.allSatisfy(\.isOver) {
            var events = ways.flatMap { way in
                let isReading = !way.isOver && !way.hasEnded && way.held.isEmpty
                return [
                    pollfd(fd: isReading ? way.source.rawValue : -1, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: way.held.isEmpty ? -1 : way.target.rawValue, events: Int16(POLLOUT), revents: 0),
                ]
            }
            guard poll(&events, nfds_t(events.count), -1) >= 0 || errno == EINTR else { return }
            for index in ways.indices {
                if events[2 * index].revents != 0, !ways[index].read() { return }
                if !ways[index].write() { return }
            }
        }
    }
}

extension SocketPump.Way {
    /// False where the socket has failed.
    fileprivate mutating func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = bytes.withUnsafeMutableBytes { recv(source.rawValue, $0.baseAddress, $0.count, 0) }
        if count < 0 { return [EAGAIN, EINTR].contains(errno) }
        if count == 0 { hasEnded = true }
        held = Array(bytes[..<count])
        return true
    }

    fileprivate mutating func write() -> Bool {
        if !held.isEmpty {
            let count = held.withUnsafeBytes {
                send(target.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return [EAGAIN, EINTR].contains(errno) }
            held.removeFirst(count)
        }
        if held.isEmpty, hasEnded, !isOver {
            isOver = true
            shutdown(target.rawValue, Int32(SHUT_WR))
        }
        return true
    }
}
