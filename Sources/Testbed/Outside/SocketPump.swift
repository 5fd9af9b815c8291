import Glibc
import SystemPackage

/// Relays bytes between two non-blocking sockets in both directions, each until its sender has finished.
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
        for socket in [one, other] {
            var isOn: Int32 = 1
            unsafe setsockopt(
                socket.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Makes the peer of a socket see a reset when it is closed, instead of an end.
    static func reset(_ socket: FileDescriptor) {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(socket.rawValue, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }

    /// Relays until both directions have finished; a reset of one socket resets the other.
    mutating func run() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !ways.allSatisfy(\.isOver) {
            var events = ways.flatMap { way in
                let isReading = !way.isOver && !way.hasEnded && way.held.isEmpty
                return [
                    pollfd(fd: isReading ? way.source.rawValue : -1, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: way.held.isEmpty ? -1 : way.target.rawValue, events: Int16(POLLOUT), revents: 0),
                ]
            }
            let count = unsafe poll(&events, nfds_t(events.count), -1)
            guard count >= 0 || errno == EINTR else { return }
            for index in ways.indices {
                let isSound =
                    (events[2 * index].revents == 0 || ways[index].read(into: &buffer)) && ways[index].write()
                guard isSound else {
                    Self.reset(ways[0].source)
                    Self.reset(ways[0].target)
                    return
                }
            }
        }
    }
}

extension SocketPump.Way {
    /// Reads what is available; false if the socket has failed.
    fileprivate mutating func read(into buffer: inout [UInt8]) -> Bool {
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(source.rawValue, $0.baseAddress, $0.count, 0) }
        if count < 0 { return [EAGAIN, EINTR].contains(errno) }
        if count == 0 { hasEnded = true }
        held = Array(buffer[..<count])
        return true
    }

    fileprivate mutating func write() -> Bool {
        if !held.isEmpty {
            let count = unsafe held.withUnsafeBytes {
                unsafe send(target.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
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
