import Glibc
import LinuxSupport
import SandboxMessages
import SystemPackage

/// Sockets of IPv4 and IPv6 in the current network namespace.
enum InternetSocket {
    /// Opens a socket, close-on-exec and non-blocking.
    static func open(isIPv6: Bool, isStream: Bool) throws(SandboxReply.Failure) -> FileDescriptor {
        let kind = isStream ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue
        let flags = SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let number = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(kind | flags), 0)
        guard number >= 0 else { throw .init(.socket, Errno(rawValue: errno)) }
        return FileDescriptor(rawValue: number)
    }

    /// Binds a socket to a port of `address`, or of all addresses of its family; returns the port.
    @discardableResult
    static func bind(
        _ descriptor: FileDescriptor, isIPv6: Bool, address: [UInt8]? = nil, port: UInt16
    ) throws(SandboxReply.Failure) -> UInt16 {
        if isIPv6 {
            var one: Int32 = 1
            unsafe setsockopt(
                descriptor.rawValue, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        let name = SocketName(address: address ?? [UInt8](repeating: 0, count: isIPv6 ? 16 : 4), port: port)
        guard unsafe name.withSocketAddress({ unsafe Glibc.bind(descriptor.rawValue, $0, $1) }) == 0,
            let bound = SocketName(of: descriptor.rawValue)
        else { throw .init(.bind, Errno(rawValue: errno), detail: "port \(port)") }
        return bound.port
    }

    /// Lets a socket accept connections to addresses that the network does not own.
    static func takeAll(_ descriptor: FileDescriptor, isIPv6: Bool) throws(SandboxReply.Failure) {
        var one: Int32 = 1
        let level = Int32(isIPv6 ? IPPROTO_IPV6 : IPPROTO_IP)
        // 75 is IPV6_TRANSPARENT of linux/in6.h, which glibc lacks.
        let option = isIPv6 ? 75 : IP_TRANSPARENT
        let result = unsafe setsockopt(
            descriptor.rawValue, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
        guard result == 0 else { throw .init(.socket, Errno(rawValue: errno)) }
    }

    static func listen(_ descriptor: FileDescriptor, backlog: Int32) throws(SandboxReply.Failure) {
        guard Glibc.listen(descriptor.rawValue, backlog) == 0 else { throw .init(.listen, Errno(rawValue: errno)) }
    }
}
