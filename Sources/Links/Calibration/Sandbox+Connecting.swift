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
        guard let name = SocketName(SandboxAddresses.hostIPv4, port: UInt16(truncatingIfNeeded: port)) else {
            preconditionFailure("the host's address is one")
        }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            do {
                try DedicatedThread.start {
                    let error = Errno(rawValue: name.connect(rawValue, within: Self.connectSeconds * 1000))
                    if error.rawValue == 0 { continuation.resume() } else { continuation.resume(throwing: error) }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
