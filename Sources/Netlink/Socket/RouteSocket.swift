import CNetlink
import Glibc
package import SystemPackage

/// A socket that configures one network namespace: the one in which it was opened, wherever it is used.
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

    /// Takes over a socket (AF_NETLINK, NETLINK_ROUTE) that was opened elsewhere, such as in a sandbox, and closes it
    /// when it goes.
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

    /// The descriptor, for calls about its namespace; it still belongs to this socket.
    package var descriptor: FileDescriptor { FileDescriptor(rawValue: unsafe nl_socket_get_fd(handle)) }

    /// Sends a request and waits for the kernel's answer.
    package func request(_ message: RouteMessage) throws(NetlinkError) {
        try request([message])
    }

    /// Sends several requests, up to 64 in one piece; the kernel handles one after the other.
    ///
    /// It handles all requests of a piece, even if some fail. Throws the error of the first that failed; the pieces
    /// after it are not sent.
    package func request(_ messages: [RouteMessage]) throws(NetlinkError) {
        for start in stride(from: 0, to: messages.count, by: Self.mostTogether) {
            _ = try exchange(Array(messages[start..<min(messages.count, start + Self.mostTogether)]), flags: 0)
        }
    }

    /// Requests one object.
    package func get(_ message: RouteMessage) throws(NetlinkError) -> RouteReply {
        guard let reply = try exchange([message], flags: 0).replies.first else {
            throw NetlinkError(message.purpose, .noSuchFileOrDirectory)
        }
        return reply
    }

    /// Requests a list.
    ///
    /// A list that has changed while it was read is requested again, up to 8 times in all.
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
            // Sequence numbers follow each other: nothing else uses the socket meanwhile.
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
            // A list that changed meanwhile has been read to its end all the same.
            if result < 0, -result != NLE_DUMP_INTR { throw NetlinkError(purpose, Self.code(ofLibrary: result)) }
        }
        withExtendedLifetime(exchange) {}
    }

    /// Has the kernel give a message with an error, leave out the request, and answer in time.
    private func configure() {
        unsafe nl_socket_disable_seq_check(handle)
        let number = descriptor.rawValue
        for option in [NETLINK_EXT_ACK, NETLINK_CAP_ACK] {
            var one: Int32 = 1
            // Since Linux 4.12; without them errors have numbers instead of words.
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
    /// The answers to more requests would not fit into the socket, and be lost.
    private static let mostTogether = 64
    /// In seconds: the kernel answers at once, unless something is wrong with it.
    private static let patience = 10

    /// The queues of an interface, including those that the kernel made.
    package func queues(of interface: NetworkInterface) throws(NetlinkError) -> [InstalledTraffic] {
        try traffic(RTM_GETQDISC, "queues", of: interface, below: .unspecified)
    }

    /// The classes of an interface's queues, or of one `queue`.
    ///
    /// Without `queue`, older kernels (6.1) leave out the classes of queues that are in another queue's class.
    package func classes(
        of interface: NetworkInterface, below queue: TrafficHandle = .unspecified
    ) throws(NetlinkError) -> [InstalledTraffic] {
        try traffic(RTM_GETTCLASS, "classes", of: interface, below: queue)
    }

    /// The filters of one of an interface's queues.
    package func filters(
        of interface: NetworkInterface, at parent: TrafficHandle
    ) throws(NetlinkError) -> [InstalledTraffic] {
        try traffic(RTM_GETTFILTER, "filters", of: interface, below: parent)
    }

    private func traffic(
        _ type: Int, _ what: String, of interface: NetworkInterface, below parent: TrafficHandle
    ) throws(NetlinkError) -> [InstalledTraffic] {
        let header = trafficHeader(interface, handle: .unspecified, parent: parent)
        let purpose = RequestPurpose("list the \(what) of interface \(interface)")
        // Some kernels list those of all interfaces.
        return try list(RouteMessage(type, header: header, for: purpose)).compactMap(InstalledTraffic.init)
            .filter { $0.interface == interface.index }
    }

    /// All interfaces of the network.
    package func interfaces() throws(NetlinkError) -> [InterfaceState] {
        let purpose = RequestPurpose("list the interfaces of this network")
        let message = RouteMessage(Int(RTM_GETLINK), header: interfaceHeader(index: 0), for: purpose)
        return try list(message).compactMap(InterfaceState.init)
    }

    /// The interface of that name; throws ENODEV if there is none.
    package func interface(_ name: InterfaceName) throws(NetlinkError) -> InterfaceState {
        let purpose = RequestPurpose("find interface \(name)")
        let message = RouteMessage(Int(RTM_GETLINK), header: interfaceHeader(index: 0), for: purpose) {
            $0.add(Int(IFLA_IFNAME), name.description)
        }
        guard let state = InterfaceState(try get(message)) else {
            throw NetlinkError(purpose, .ioError, words: "its answer cannot be read")
        }
        return state
    }
}

/// Called by libnl for a message with content.
private func takeMessage(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe hand(message, to: context) { $0.take($1) }
}

/// Called by libnl for an acknowledgement, or for the end of a list.
private func finishRequest(_ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe hand(message, to: context) { $0.finish($1) }
}

private func hand(
    _ message: OpaquePointer?, to context: UnsafeMutableRawPointer?, _ body: (RouteExchange, ReceivedBytes) -> Void
) -> Int32 {
    guard let message = unsafe message, let header = unsafe nlmsg_hdr(message), let context = unsafe context,
        // Other processes may send to this socket too.
        unsafe nlmsg_get_src(message)?.pointee.nl_pid == 0
    else { return Int32(NL_SKIP.rawValue) }
    let bytes = unsafe UnsafeRawBufferPointer(start: header, count: Int(header.pointee.nlmsg_len))
    unsafe body(Unmanaged<RouteExchange>.fromOpaque(context).takeUnretainedValue(), ReceivedBytes(Array(bytes)))
    return Int32(NL_OK.rawValue)
}

/// Called by libnl for an error; the kernel's whole message starts 16 bytes before it.
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
