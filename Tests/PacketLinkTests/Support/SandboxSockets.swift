import Glibc
import SandboxMessages
import SystemPackage
import Testbed

/// A socket of a sandbox whose calls block, for at most 20 s.
struct TestSocket {
    let descriptor: FileDescriptor
    let port: UInt16

    private init(_ socket: SandboxSocket) {
        self.init(socket.descriptor, port: socket.port ?? 0)
    }

    private init(_ descriptor: FileDescriptor, port: UInt16) {
        self.descriptor = descriptor
        self.port = port
        let flags = fcntl(descriptor.rawValue, F_GETFL)
        _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor.rawValue, SOL_SOCKET, option, &patience, size)
        }
    }

    /// Runs `body` with a socket, and closes it afterwards: an open socket keeps the network of a sandbox alive.
    static func with<Result>(
        _ sandbox: Sandbox, on namespace: SandboxNamespace, _ kind: SandboxSocket.Kind, listens: Bool = false,
        port: UInt16? = nil, v6: Bool = false, _ body: (TestSocket) async throws -> Result
    ) async throws -> Result {
        let family: SandboxFamily = v6 ? .ipv6 : .ipv4
        let socket =
            listens
            ? try await sandbox.listen(on: namespace, port: port ?? 0, family: family)
            : try await sandbox.socket(on: namespace, kind, port: port, family: family)
        defer { try? socket.descriptor.close() }
        return try await body(TestSocket(socket))
    }

    func accepted<Result>(_ body: (TestSocket) async throws -> Result) async throws -> Result {
        let answer = Glibc.accept(descriptor.rawValue, nil, nil)
        guard answer >= 0 else { throw Errno(rawValue: errno) }
        let client = TestSocket(FileDescriptor(rawValue: answer), port: 0)
        defer { try? client.descriptor.close() }
        return try await body(client)
    }

    /// Connects to a port of the host.
    func connect(toPort port: UInt16, v6: Bool = false) throws {
        let answer: CInt
        if v6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, SandboxAddresses.hostIPv6, &address.sin6_addr)
            answer = connect(&address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, SandboxAddresses.hostIPv4, &address.sin_addr)
            answer = connect(&address)
        }
        guard answer == 0 else { throw Errno(rawValue: errno) }
    }

    private func connect<Address>(_ address: inout Address) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor.rawValue, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    func send(_ bytes: [UInt8]) throws { try descriptor.writeAll(bytes) }

    /// Receives at most `count` bytes; empty at the end of the stream.
    func receive(_ count: Int = 65_536) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try bytes.withUnsafeMutableBytes { try descriptor.read(into: $0) }
        return Array(bytes[..<got])
    }

    /// Receives a datagram, and sends it back.
    func echo() throws {
        var from = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var bytes = [UInt8](repeating: 0, count: 2048)
        let answer = withUnsafeMutablePointer(to: &from) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let count = recvfrom(descriptor.rawValue, &bytes, bytes.count, 0, address, &size)
                return count < 0 ? count : sendto(descriptor.rawValue, bytes, count, 0, address, size)
            }
        }
        guard answer >= 0 else { throw Errno(rawValue: errno) }
    }
}
