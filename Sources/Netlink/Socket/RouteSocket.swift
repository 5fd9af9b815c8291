import CNetlink
import Glibc
package import SystemPackage

/// A socket by which one network namespace is configured: that in which it was opened, wherever it is used.
///
/// libnl-3 has the socket, sends, and reads acknowledgements and lists. One request is under way at a time.
@safe package struct RouteSocket: ~Copyable {
    private let handle: OpaquePointer

    /// Opens one in the network namespace of the calling thread.
    package init() throws(NetlinkError) {
        guard let handle = unsafe nl_socket_alloc() else { throw NetlinkError(Self.opening, .noMemory) }
        guard unsafe nl_connect(handle, NETLINK_ROUTE) == 0 else {
            let error = Errno(rawValue: errno)
            unsafe nl_socket_free(handle)
            throw NetlinkError(Self.opening, error)
        }
        unsafe self.handle = unsafe handle
        configure()
    }

    /// Takes over a socket (AF_NETLINK, NETLINK_ROUTE) that was opened elsewhere, such as in a sandbox, and closes it when it goes.
    package init(adopting descriptor: FileDescriptor) throws(NetlinkError) {
        guard let handle = unsafe nl_socket_alloc() else { throw NetlinkError(Self.opening, .noMemory) }
        guard unsafe nl_socket_set_fd(handle, NETLINK_ROUTE, descriptor.rawValue) == 0 else {
            unsafe nl_socket_free(handle)
            throw NetlinkError(RequestPurpose("take over a netlink socket"), .badFileDescriptor)
        }
        unsafe self.handle = unsafe handle
        configure()
    }

    deinit {
        unsafe nl_socket_free(handle)
    }

    /// For what belongs to its namespace; it stays this socket's.
    package var descriptor: FileDescriptor { FileDescriptor(rawValue: unsafe nl_socket_get_fd(handle)) }

    /// Asks for something and waits for the kernel's answer.
    package func request(_ message: RouteMessage) throws(NetlinkError) {
        try request([message])
    }

    /// Asks for several things at once: up to 64 go in one piece, and the kernel does one after the other.
    ///
    /// It does all of a piece, whatever comes of each. Throws what the first of those met that were not granted.
    package func request(_ messages: [RouteMessage]) throws(NetlinkError) {
        for start in stride(from: 0, to: messages.count, by: Self.mostTogether) {
            _ = try exchange(Array(messages[start..<min(messages.count, start + Self.mostTogether)]), flags: 0)
        }
    }

    /// Asks for one thing to be told.
    package func get(_ message: RouteMessage) throws(NetlinkError) -> RouteReply {
        guard let reply = try exchange([message], flags: 0).replies.first else {
            throw NetlinkError(message.purpose, .noSuchFileOrDirectory)
        }
        return reply
    }

    /// Asks for a list.
    ///
    /// A list that has changed while it was told is asked for again.
    package func list(_ message: RouteMessage) throws(NetlinkError) -> [RouteReply] {
        for _ in 0..<Self.mostTears {
            let exchange = try exchange([message], flags: Self.dumpFlags)
            if !exchange.isTorn { return exchange.replies }
        }
        throw NetlinkError(message.purpose, .resourceBusy, words: "the list keeps changing")
    }

    private func exchange(_ messages: [RouteMessage], flags: UInt16) throws(NetlinkError) -> RouteExchange {
        guard let purpose = messages.first?.purpose else { return RouteExchange(first: 0, count: 0) }
        var bytes: [UInt8] = []
        let first = unsafe nl_socket_use_seq(handle)
        for (index, message) in messages.enumerated() {
            // Numbers follow each other: nothing else uses the socket meanwhile.
            let sequence = index == 0 ? first : unsafe nl_socket_use_seq(handle)
            bytes += message.bytes(flags: flags | UInt16(NLM_F_REQUEST | NLM_F_ACK), sequence: sequence)
        }
        let exchange = RouteExchange(first: first, count: messages.count)
        let sent = unsafe bytes.withUnsafeMutableBytes { unsafe nl_sendto(handle, $0.baseAddress, $0.count) }
        guard sent >= 0 else { throw NetlinkError(purpose, Errno(rawValue: errno)) }
        try receive(exchange, for: purpose)
        for (message, outcome) in zip(messages, exchange.outcomes) {
            if let code = outcome?.code { throw NetlinkError(message.purpose, code, words: outcome?.words) }
        }
        return exchange
    }

    private func receive(_ exchange: RouteExchange, for purpose: RequestPurpose) throws(NetlinkError) {
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        unsafe nl_socket_modify_cb(handle, NL_CB_VALID, NL_CB_CUSTOM, takeMessage, context)
        unsafe nl_socket_modify_cb(handle, NL_CB_FINISH, NL_CB_CUSTOM, finishRequest, context)
        unsafe nl_socket_modify_cb(handle, NL_CB_ACK, NL_CB_CUSTOM, finishRequest, context)
        unsafe nl_socket_modify_err_cb(handle, NL_CB_CUSTOM, failRequest, context)
        while !exchange.isComplete {
            let result = unsafe nl_recvmsgs_default(handle)
            // A list that changed while it was told has been read to its end all the same.
            if result < 0, -result != NLE_DUMP_INTR { throw NetlinkError(purpose, Self.code(ofLibrary: result)) }
        }
        withExtendedLifetime(exchange) {}
    }

    /// Has the kernel say more about errors and less about requests, and answer in time.
    private func configure() {
        unsafe nl_socket_disable_seq_check(handle)
        let number = descriptor.rawValue
        for option in [NETLINK_EXT_ACK, NETLINK_CAP_ACK] {
            var one: Int32 = 1
            // Linux 4.12; without them there are numbers instead of words.
            unsafe setsockopt(number, SOL_NETLINK, option, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
        unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func code(ofLibrary number: Int32) -> Errno {
        switch -number {
        case NLE_AGAIN: .resourceTemporarilyUnavailable
        case NLE_NOMEM: .noMemory
        default: .ioError
        }
    }

    private static let opening = RequestPurpose("open a netlink socket")
    private static let dumpFlags = UInt16(NLM_F_DUMP)
    private static let mostTears = 8
    /// The answers of more would not fit into the socket, and be lost.
    private static let mostTogether = 64
    /// In seconds: the kernel answers at once, unless something is wrong with it.
    private static let patience = 10
}

/// libnl has a message with something in it.
private func takeMessage(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe hand(message, to: context) { $0.take($1) }
}

/// libnl has an acknowledgement, or the end of a list.
private func finishRequest(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe hand(message, to: context) { $0.finish($1) }
}

private func hand(
    _ message: OpaquePointer?, to context: UnsafeMutableRawPointer?, _ body: (RouteExchange, ReceivedBytes) -> Void
) -> Int32 {
    guard let message = unsafe message, let header = unsafe nlmsg_hdr(message), let context = unsafe context,
        // Others may send to this socket too.
        unsafe nlmsg_get_src(message)?.pointee.nl_pid == 0
    else { return Int32(NL_SKIP.rawValue) }
    let bytes = unsafe UnsafeRawBufferPointer(start: header, count: Int(header.pointee.nlmsg_len))
    unsafe body(Unmanaged<RouteExchange>.fromOpaque(context).takeUnretainedValue(), ReceivedBytes(Array(bytes)))
    return Int32(NL_OK.rawValue)
}

/// libnl has an error, with all that the kernel says of it: the message starts 16 bytes before the error.
private func failRequest(
    _ source: UnsafeMutablePointer<sockaddr_nl>?, _ error: UnsafeMutablePointer<nlmsgerr>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let error = unsafe error, let context = unsafe context, unsafe source?.pointee.nl_pid == 0 else {
        return Int32(NL_SKIP.rawValue)
    }
    let header = unsafe UnsafeRawPointer(error) - RouteMessage.headerSize
    let length = unsafe header.loadUnaligned(as: nlmsghdr.self).nlmsg_len
    let bytes = unsafe UnsafeRawBufferPointer(start: header, count: Int(length))
    unsafe Unmanaged<RouteExchange>.fromOpaque(context).takeUnretainedValue().finish(ReceivedBytes(Array(bytes)))
    return Int32(NL_SKIP.rawValue)
}
