import Glibc
import LinuxSupport
import SystemPackage
import Testbed

extension Sandbox {
    /// A stream socket of the client, connected to a port of the host; the caller closes it.
    ///
    /// Throws `SandboxError`, and `Errno` if no answer arrives within ``connectSeconds``.
    func connectedSocket(to port: Int) async throws -> FileDescriptor {
        let socket = try await socket(on: .client, .tcp).descriptor
        do {
            try await socket.connect(toHostPort: port)
            return socket
        } catch {
            try? socket.close()
            throw error
        }
    }
}

extension FileDescriptor {
    /// How long a connection may take, in seconds; lost handshakes are retried meanwhile.
    private static let connectSeconds: Int32 = 60

    /// Connects the socket on a dedicated thread.
    fileprivate func connect(toHostPort port: Int) async throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        guard inet_pton(AF_INET, SandboxAddresses.hostIPv4, &address.sin_addr) == 1 else {
            preconditionFailure("the host's address is one")
        }
        let began = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if began == 0 { return }
        let error = Errno(rawValue: errno)
        guard error.rawValue == EINPROGRESS else { throw error }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            do {
                try DedicatedThread.start { continuation.resume(with: Result { try self.awaitConnection() }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func awaitConnection() throws {
        var wanted = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&wanted, 1, Self.connectSeconds * 1000) == 1 else { throw Errno.timedOut }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(rawValue, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { throw Errno(rawValue: errno) }
        guard code == 0 else { throw Errno(rawValue: code) }
    }
}
