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
        let outcome = Latch<Int32>()
        try DedicatedThread.start { outcome.open(name.connect(rawValue, within: Self.connectSeconds * 1000)) }
        let code = await outcome.value
        if code != 0 { throw Errno(rawValue: code) }
    }
}
