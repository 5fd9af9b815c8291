import Glibc
import NIOCore

extension Channel {
    /// Keeps the socket from programs that are started later.
    ///
    /// On the channel's loop only.
    ///
    /// NIO does not; a child would keep a port or a connection open.
    func keepFromChildren() {
        // A channel without a socket has nothing to keep.
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Makes closing a reset: what was written and not yet sent is dropped rather than sent for minutes over a slow
    /// link.
    ///
    /// On the channel's loop only. See socket(7), SO_LINGER.
    func abortOnClose() {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: CInt) in
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
    }
}
