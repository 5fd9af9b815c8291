import Glibc
import PackHost
import SystemPackage

@testable import Harness

/// A listening socket on a free port of 127.0.0.1, handed to a host, with a duplicate descriptor that stays open.
final class ListeningDescriptor: Sendable {
    let descriptor: SystemPackage.FileDescriptor
    let port: Int
    private let kept: SystemPackage.FileDescriptor

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Errno(rawValue: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard bound else { throw Errno(rawValue: errno) }
        descriptor = .init(rawValue: socket)
        port = Int(UInt16(bigEndian: address.sin_port))
        kept = try descriptor.duplicate()
    }

    /// Refuses connections from here on, as if the host's process were gone.
    func shutDown() { _ = shutdown(kept.rawValue, Int32(SHUT_RDWR)) }

    deinit { try? kept.close() }
}

extension AttemptDependencies {
    /// Dependencies whose host takes connections from this socket.
    static func host(on socket: ListeningDescriptor) -> AttemptDependencies {
        var dependencies = AttemptDependencies.quiet
        dependencies.withHost = { configuration, body in
            var configuration = configuration
            configuration.listener = .socket(socket.descriptor)
            try await withPackHost(configuration, body)
        }
        return dependencies
    }
}
