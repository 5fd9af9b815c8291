import Glibc
import SystemPackage

/// Two sockets that keep packet boundaries, instead of a network device and its program.
struct SocketPair {
    /// The socket that the link is given.
    let device: FileDescriptor
    /// The socket that the test uses as the program.
    let program: FileDescriptor

    static func with<Result>(
        _ type: __socket_type = SOCK_SEQPACKET, _ body: (SocketPair) async throws -> Result
    ) async throws -> Result {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Errno(rawValue: errno)
        }
        let pair = SocketPair(device: FileDescriptor(rawValue: ends[0]), program: FileDescriptor(rawValue: ends[1]))
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        defer {
            try? pair.device.close()
            try? pair.program.close()
        }
        return try await body(pair)
    }

    func send(_ bytes: [UInt8]) throws { _ = try bytes.withUnsafeBytes { try program.write($0) } }

    /// The next packet; fails after 20 s.
    func receive() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = try bytes.withUnsafeMutableBytes { try program.read(into: $0) }
        return Array(bytes[..<count])
    }
}
