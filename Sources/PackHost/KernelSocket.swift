import Glibc
import NIOCore

/// Operations on a connection's socket that NIO does not offer.
///
/// Call them only on the connection's event loop.
enum KernelSocket {
    /// SIOCOUTQ of <linux/sockios.h>, see tcp(7); the header's macro is not imported.
    private static let queueRequest: UInt = 0x5411

    /// Bytes that were sent or queued, and that the peer has not acknowledged; nil if the socket is closed.
    static func unacknowledged(of channel: any Channel) -> Int64? {
        let count = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            var count: CInt = 0
            return ioctl(socket, queueRequest, &count) == 0 ? count : -1
        }
        guard let count, count >= 0 else { return nil }
        return Int64(count)
    }

    /// The name of the connection's congestion control; nil if the socket is closed.
    ///
    /// See tcp(7): TCP_CONGESTION.
    static func congestionControl(of channel: any Channel) -> String? {
        try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) -> String? in
            var name = [UInt8](repeating: 0, count: 16)
            var length = socklen_t(name.count)
            guard getsockopt(socket, CInt(IPPROTO_TCP), TCP_CONGESTION, &name, &length) == 0 else { return nil }
            return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        } ?? nil
    }

    /// Keeps the socket from programs that are started later.
    ///
    /// NIO does not (accept4(2) without SOCK_CLOEXEC), and a connection ends only with the last copy of its socket.
    static func closeOnExec(_ channel: any Channel) {
        _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Makes a later close(2) send a reset and drop queued bytes: SO_LINGER of 0 s, see socket(7).
    static func resetOnClose(_ channel: any Channel) {
        _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            var value = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout.size(ofValue: value)))
        }
    }
}
