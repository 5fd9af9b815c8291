import Glibc
import KernelLink

/// A lock that lets one process at a time change what is on an interface.
///
/// It is the name of a socket in the network of the interface, see unix(7), Abstract sockets: it belongs to no file
/// system, and goes with its process. Any process may take such a name, so one that neither root nor this user holds is
/// no lock.
package enum LinkLock {
    /// Runs `body` while no other process changes what is on the interface of this index.
    ///
    /// Throws ``InterfaceLinkError`` if another process does for longer than `patience` (default: 15 s), and the errors
    /// of `body`. With `insists` (default: false), `body` runs all the same.
    package static func hold<Result>(
        _ interface: UInt32, patience: Duration = .seconds(15), insists: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        let socket = insists ? (try? take(interface, patience)) ?? -1 : try take(interface, patience)
        defer { if socket >= 0 { close(socket) } }
        return try body()
    }

    /// Takes the name, and returns the socket that has it; −1 if a lock is not possible.
    private static func take(_ interface: UInt32, _ patience: Duration) throws(InterfaceLinkError) -> Int32 {
        let name = name(interface)
        let limit = ContinuousClock.now + patience
        var unknown = 0
        while true {
            let socket = open()
            let isBound = unsafe name.withUnsafeBytes { bytes in
                unsafe bytes.withMemoryRebound(to: sockaddr.self) {
                    unsafe bind(socket, $0.baseAddress, socklen_t(bytes.count)) == 0 && listen(socket, room) == 0
                }
            }
            if isBound { return socket }
            let error = errno
            close(socket)
            // Without such sockets no other process has a lock either.
            guard error == EADDRINUSE else { return -1 }
            if let holder = holder(name) {
                guard holder == 0 || holder == geteuid() else { return -1 }
            } else {
                unknown += 1
                guard unknown < mostUnknown else { return -1 }
            }
            guard ContinuousClock.now < limit else {
                throw InterfaceLinkError(
                    .others,
                    "Could not change interface \(interface): another headwind has been changing it for \(patience). "
                        + "See 'pgrep -af headwind', and try again.")
            }
            // Blocking this thread is fine: a command that changes an interface has no other tasks.
            usleep(20_000)
        }
    }

    private static func open() -> Int32 {
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// The user who has the name; nil if that is unknown, because the name was just let go of or is just being taken.
    private static func holder(_ name: [UInt8]) -> UInt32? {
        let socket = open()
        defer { close(socket) }
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        let isConnected = unsafe name.withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) {
                unsafe connect(socket, $0.baseAddress, socklen_t(bytes.count)) == 0
            }
        }
        guard isConnected else { return nil }
        // struct ucred: process, user, group.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(12)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials[1]
    }

    /// The backlog for processes that ask for the holder; a holder that has no room for them is not Headwind.
    private static let room: Int32 = 4096
    private static let mostUnknown = 50

    /// `struct sockaddr_un` with a name that begins with NUL.
    private static func name(_ interface: UInt32) -> [UInt8] {
        let family = UInt16(AF_UNIX)
        return [UInt8(truncatingIfNeeded: family), UInt8(truncatingIfNeeded: family >> 8), 0]
            + Array("headwind-link-\(interface)".utf8)
    }
}
