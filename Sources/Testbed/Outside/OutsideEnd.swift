import Glibc

/// An address and port that a client in a sandbox connects to.
struct OutsideEnd: Hashable, Sendable {
    /// 4 or 16 bytes, in network order.
    let address: [UInt8]
    let port: UInt16

    var family: SandboxFamily { address.count == 4 ? .ipv4 : .ipv6 }

    init(address: [UInt8], port: UInt16) {
        self.address = address
        self.port = port
    }

    /// The address and port that a socket in a sandbox is bound to.
    ///
    /// See getsockname(2).
    init?(of socket: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let bytes: [UInt8]? = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress,
                unsafe getsockname(socket, base.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            return unsafe Array(bytes)
        }
        guard let bytes else { return nil }
        // sockaddr_in has the address at 4, sockaddr_in6 at 8; both have the port at 2.
        address = Array(storage.ss_family == sa_family_t(AF_INET) ? bytes[4..<8] : bytes[8..<24])
        port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }

    /// The same end as this machine reaches it, in the order to try.
    ///
    /// This machine's address in the sandbox, and 127.0.0.1 if it leads here, become the loopback of both families. The
    /// resolver's address becomes the machine's first name server.
    var here: [OutsideEnd] {
        let outside = SandboxAddresses.outside
        if address == Self.bytes(outside.address) || address == Self.loopbackIPv4 {
            return [Self.loopbackIPv4, Self.loopbackIPv6].map { OutsideEnd(address: $0, port: port) }
        }
        guard address == Self.bytes(outside.nameServer) else { return [self] }
        return [OutsideEnd(address: Self.nameServer(in: SandboxReadings.text("/etc/resolv.conf") ?? ""), port: port)]
    }

    private static let loopbackIPv4: [UInt8] = [127, 0, 0, 1]
    private static let loopbackIPv6 = [UInt8](repeating: 0, count: 15) + [1]

    /// The first name server in a text of resolv.conf(5); 127.0.0.1 if it names none.
    static func nameServer(in text: String) -> [UInt8] {
        let servers = text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
            .filter { $0.count > 1 && $0[0] == "nameserver" }
        return servers.lazy.compactMap { bytes(String($0[1])) }.first ?? [127, 0, 0, 1]
    }

    /// The 4 or 16 bytes of an address; `nil` if the text is no address.
    ///
    /// See inet_pton(3).
    private static func bytes(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// Connects a socket, and waits until it is connected; returns the `errno`, or 0.
    func connect(_ socket: Int32) -> Int32 {
        let began = unsafe withSocketAddress { unsafe Glibc.connect(socket, $0, $1) }
        if began == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var event = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        while unsafe poll(&event, 1, -1) < 0, errno == EINTR {}
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return errno }
        return error
    }

    private func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
        unsafe bytes.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: sa_family_t(family == .ipv4 ? AF_INET : AF_INET6), as: sa_family_t.self)
        }
        (bytes[2], bytes[3]) = (UInt8(port >> 8), UInt8(truncatingIfNeeded: port))
        let place = family == .ipv4 ? 4 : 8
        bytes.replaceSubrange(place..<place + address.count, with: address)
        let length = family == .ipv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return unsafe bytes.withUnsafeBytes {
            guard let base = $0.baseAddress else { return -1 }
            return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
        }
    }
}
