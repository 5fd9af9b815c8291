import CNetlink
import CellMessages
import Glibc
import SystemPackage

/// A socket by which one network namespace is configured, that in which it was opened.
///
/// See rtnetlink(7).
@safe struct RouteSocket: ~Copyable {
    private let handle: OpaquePointer

    init() throws(CellReply.Failure) {
        guard let handle = unsafe nl_socket_alloc() else { throw .init(.netlink, .noMemory) }
        guard unsafe nl_connect(handle, NETLINK_ROUTE) == 0 else {
            let error = Errno(rawValue: errno)
            unsafe nl_socket_free(handle)
            throw .init(.netlink, error)
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe nl_socket_free(handle)
    }

    var descriptor: Int32 { unsafe nl_socket_get_fd(handle) }

    /// Sends a message and waits for the kernel's answer.
    ///
    /// `header` is the fixed part, such as `ifinfomsg`; `attributes` adds the others.
    func request<Header: BitwiseCopyable>(
        _ type: Int32, flags: Int32 = 0, header: Header, _ attributes: (borrowing RouteMessage) -> Void = { _ in }
    ) throws(Errno) {
        guard let message = unsafe nlmsg_alloc_simple(type, flags) else { throw .noMemory }
        defer { unsafe nlmsg_free(message) }
        var header = header
        _ = unsafe withUnsafeMutableBytes(of: &header) {
            unsafe nlmsg_append(message, $0.baseAddress, $0.count, Int32(NLMSG_ALIGNTO))
        }
        attributes(unsafe RouteMessage(message))
        guard unsafe nl_send_auto(handle, message) >= 0 else { throw Errno(rawValue: errno) }
        try awaitAnswer(to: unsafe nlmsg_hdr(message).pointee.nlmsg_seq)
    }

    /// Reads until the kernel has acknowledged the message `sequence`, or said why not.
    ///
    /// libnl would tell an error number of its own.
    private func awaitAnswer(to sequence: UInt32) throws(Errno) {
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 || errno == EINTR else { throw Errno(rawValue: errno) }
            let answer: Int32? = unsafe buffer.withUnsafeBytes { bytes in
                guard count >= MemoryLayout<nlmsghdr>.size + MemoryLayout<Int32>.size else { return nil }
                let header = unsafe bytes.loadUnaligned(as: nlmsghdr.self)
                guard header.nlmsg_type == NLMSG_ERROR, header.nlmsg_seq == sequence else { return nil }
                return unsafe bytes.loadUnaligned(fromByteOffset: MemoryLayout<nlmsghdr>.size, as: Int32.self)
            }
            if let answer {
                guard answer == 0 else { throw Errno(rawValue: -answer) }
                return
            }
        }
    }
}
