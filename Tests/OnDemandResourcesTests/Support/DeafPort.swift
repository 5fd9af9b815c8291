import Glibc

/// A port of 127.0.0.1 where connection attempts are neither accepted nor refused.
///
/// Its queue of pending connections is full, so the kernel drops further attempts; see listen(2).
final class DeafPort: Sendable {
    let port: UInt16
    private let sockets: [Int32]

    init() throws {
        let (listener, port) = try LoopbackPort.bind()
        listen(listener, 0)
        var sockets = [listener]
        for _ in 0..<4 {
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let client = socket(AF_INET, type, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            sockets.append(client)
        }
        (self.port, self.sockets) = (port, sockets)
    }

    deinit { for socket in sockets { close(socket) } }
}
