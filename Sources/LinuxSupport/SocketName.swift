package import Glibc

/// The address and port of a socket of IPv4 or IPv6.
package struct SocketName: Hashable, Sendable {
    /// 4 or 16 bytes, in network order.
    package let address: [UInt8]
    /// The port, in this machine's order.
    package let port: UInt16

    /// A name with an address of 4 or 16 bytes, in network order.
    package init(address: [UInt8], port: UInt16) {
        self.address = address
        self.port = port
    }

    /// A name with an address as text; `nil` if the text is no address.
    ///
    /// See inet_pton(3).
    package init?(_ text: String, port: UInt16) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            guard unsafe inet_pton(family, text, &bytes) == 1 else { continue }
            self.init(address: bytes, port: port)
            return
        }
        return nil
    }

    /// The address of a text in any form that clients accept, with port 0: 127.0.0.1, 127.1, 0x7f000001, ::1.
    package init?(anyForm text: String) {
        guard !text.contains(":") else {
            self.init(text, port: 0)
            return
        }
        var ipv4 = in_addr()
        // inet_aton ignores what follows a blank.
        guard !text.contains(where: \.isWhitespace), unsafe inet_aton(text, &ipv4) != 0 else { return nil }
        self.init(address: unsafe withUnsafeBytes(of: &ipv4) { unsafe Array($0) }, port: 0)
    }

    /// Whether the address is one of IPv4.
    package var isIPv4: Bool { address.count == 4 }
    /// Whether the address is in 127.0.0.0/8, or ::1.
    package var isLoopback: Bool { isIPv4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1] }

    /// The address as text.
    ///
    /// See inet_ntop(3).
    package var addressText: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, address, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The address and port that a socket is bound to.
    ///
    /// See getsockname(2).
    package init?(of socket: Int32) {
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

    /// Connects a socket, and waits until it is connected; returns the `errno`, or 0.
    ///
    /// It is ETIMEDOUT if that takes longer than `milliseconds` (default: −1, no limit).
    package func connect(_ socket: Int32, within milliseconds: Int32 = -1) -> Int32 {
        let began = unsafe withSocketAddress { unsafe Glibc.connect(socket, $0, $1) }
        if began == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var event = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        var count: Int32 = -1
        repeat { count = unsafe poll(&event, 1, milliseconds) } while count < 0 && errno == EINTR
        if count < 0 { return errno }
        if count == 0 { return ETIMEDOUT }
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return errno }
        return error
    }

    /// Calls `body` with the name as system calls take it, which is valid only during the call.
    package func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        let isIPv4 = address.count == 4
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
        unsafe bytes.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: sa_family_t(isIPv4 ? AF_INET : AF_INET6), as: sa_family_t.self)
        }
        bytes.replaceSubrange(2..<4, with: port.networkOrder)
        let place = isIPv4 ? 4 : 8
        bytes.replaceSubrange(place..<place + address.count, with: address)
        let length = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        return unsafe bytes.withUnsafeBytes {
            guard let base = $0.baseAddress else { return -1 }
            return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
        }
    }
}
