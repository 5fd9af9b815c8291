import Glibc

/// The machine's way to a host.
enum HostRoute {
    /// Whether the system knows no way to a numeric address, as when its last network is gone.
    ///
    /// A datagram socket is connected, which sends nothing and answers at once (connect(2)). False where nothing can be
    /// said.
    static func isMissing(to address: String) -> Bool {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        // RFC 863: nothing is sent to the port, so that any will do.
        guard unsafe getaddrinfo(address, "9", &hints, &list) == 0, let first = unsafe list?.pointee else {
            return false
        }
        defer { unsafe freeaddrinfo(list) }
        let socket = socket(unsafe first.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        guard unsafe connect(socket, first.ai_addr, first.ai_addrlen) != 0 else { return false }
        return [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(errno)
    }
}
