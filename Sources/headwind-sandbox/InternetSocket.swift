import Glibc
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
        var storage = sockaddr_storage()
        var one: Int32 = 1
        if isIPv6 {
            unsafe setsockopt(
                descriptor.rawValue, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        let bound = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            let length: Int
            if isIPv6 {
                var name = sockaddr_in6()
                name.sin6_family = sa_family_t(AF_INET6)
                name.sin6_port = port.bigEndian
                if let address {
                    unsafe withUnsafeMutableBytes(of: &name.sin6_addr) { unsafe $0.copyBytes(from: address) }
                }
                length = MemoryLayout<sockaddr_in6>.size
                unsafe bytes.storeBytes(of: name, as: sockaddr_in6.self)
            } else {
                var name = sockaddr_in()
                name.sin_family = sa_family_t(AF_INET)
                name.sin_port = port.bigEndian
                if let address {
                    unsafe withUnsafeMutableBytes(of: &name.sin_addr) { unsafe $0.copyBytes(from: address) }
                }
                length = MemoryLayout<sockaddr_in>.size
                unsafe bytes.storeBytes(of: name, as: sockaddr_in.self)
            }
            guard let base = bytes.baseAddress else { return false }
            let name = unsafe base.assumingMemoryBound(to: sockaddr.self)
            return unsafe Glibc.bind(descriptor.rawValue, name, socklen_t(length)) == 0
        }
        guard bound else { throw .init(.bind, Errno(rawValue: errno), detail: "port \(port)") }
        return try self.port(of: descriptor)
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

    private static func port(of descriptor: FileDescriptor) throws(SandboxReply.Failure) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let found = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe getsockname(descriptor.rawValue, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
        }
        guard found else { throw .init(.bind, Errno(rawValue: errno)) }
        // The port has the same offset in both families.
        return unsafe withUnsafeBytes(of: &storage) {
            unsafe UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
