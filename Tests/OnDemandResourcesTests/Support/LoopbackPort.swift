import Foundation
import Glibc

/// A port of 127.0.0.1 that this process owns and does not listen on: connections to it are refused.
final class LoopbackPort: Sendable {
    let port: UInt16
    private let socket: Int32

    init() throws { (socket, port) = try Self.bind() }

    deinit { close(socket) }

    /// A socket that is bound to a free port.
    static func bind() throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }
}
