import Glibc
import NIOCore
import SystemPackage

/// Makes the socket on which a host accepts connections.
///
/// NIO opens listening sockets that programs started later would inherit. They would keep the port after the host has
/// ended, so sockets are made here.
enum ListeningSocket {
    /// The number of connections that may wait to be accepted; the kernel may grant fewer (net.core.somaxconn).
    private static let backlog: Int32 = 1024

    /// Opens listening sockets, which the caller owns.
    ///
    /// If one cannot be opened, all are closed, including those that were passed in. Throws ``HostError``.
    static func open(_ listeners: [HostConfiguration.Listener]) throws(HostError) -> [SystemPackage.FileDescriptor] {
        var sockets: [SystemPackage.FileDescriptor] = []
        for (index, listener) in listeners.enumerated() {
            do {
                sockets.append(try open(listener))
            } catch {
                for case .socket(let socket) in listeners[(index + 1)...] { try? socket.close() }
                for socket in sockets { try? socket.close() }
                throw error
            }
        }
        return sockets
    }

    /// Opens a listening socket, which the caller owns.
    ///
    /// A socket that was passed in and cannot listen is closed. Throws ``HostError``.
    static func open(_ listener: HostConfiguration.Listener) throws(HostError) -> SystemPackage.FileDescriptor {
        var owned: SystemPackage.FileDescriptor?
        do {
            switch listener {
            case .socket(let socket):
                owned = socket
                try check(fcntl(socket.rawValue, F_SETFD, FD_CLOEXEC))
                // On a socket that already listens, this only sets the backlog.
                try check(listen(socket.rawValue, backlog))
                return socket
            case .address(let text, let port):
                let address = try SocketAddress(ipAddress: text, port: port)
                let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                let socket = try SystemPackage.FileDescriptor(
                    rawValue: check(Glibc.socket(address.protocol.rawValue, kind, 0)))
                owned = socket
                var isReused: Int32 = 1
                let size = socklen_t(MemoryLayout.size(ofValue: isReused))
                try check(setsockopt(socket.rawValue, SOL_SOCKET, SO_REUSEADDR, &isReused, size))
                _ = try address.withSockAddr { try check(bind(socket.rawValue, $0, socklen_t($1))) }
                try check(listen(socket.rawValue, backlog))
                return socket
            }
        } catch {
            // Nothing can be done about a descriptor that cannot be closed.
            try? owned?.close()
            // An error that is not the system's comes from the text of an address.
            throw .cannotListen(on: listener.text, error as? Errno ?? .invalidArgument)
        }
    }

    /// Sets the backlog again, because NIO reduces that of a socket it is given to 128.
    static func widen(_ channel: any Channel) {
        _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            listen(socket, backlog)
        }
    }

    @discardableResult
    private static func check(_ result: Int32) throws(Errno) -> Int32 {
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return result
    }
}

extension HostConfiguration.Listener {
    fileprivate var text: String {
        switch self {
        case .address(let address, let port): "\(address) port \(port)"
        case .socket(let socket): "descriptor \(socket.rawValue)"
        }
    }
}
