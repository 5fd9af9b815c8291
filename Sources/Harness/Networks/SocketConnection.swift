import Glibc
import SystemPackage

/// Connects non-blocking sockets from threads that may block.
enum SocketConnection {
    /// Connects a socket; returns false if there is no answer.
    static func make(_ socket: FileDescriptor, to address: String, port: UInt16) -> Bool {
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
}
