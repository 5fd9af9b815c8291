import CLinux
import Glibc
import LinkModel
import SystemPackage

/// Reads and writes packets of one end's device.
struct PacketPort {
    let end: End
    let descriptor: FileDescriptor
    /// The reader of packets that another component moves; nil if the descriptor is a device.
    let tap: PacketTap?

    enum Write {
        case done
        /// There is no room; epoll reports when there is.
        case full
        /// There is no memory; no event reports when there is.
        case noMemory
        /// The device refuses this packet, with an error number.
        case refused(Int32)
    }

    /// Reads one packet, and returns its length in bytes; nil if there is none.
    func read(into room: UnsafeMutableRawBufferPointer) throws(PacketLinkError) -> Int? {
        if let tap { return unsafe tap.read(into: room) }
        while true {
            let count = unsafe headwind_read(descriptor.rawValue, room.baseAddress, room.count)
            if count > 0 { return count }
            if count == 0 { throw .ended(end) }
            switch errno {
            case EAGAIN: return nil
            case EINTR: continue
            case let code: throw .descriptor(end, attempt: "read packets from", code: code)
            }
        }
    }

    /// Reads one packet and drops it; returns whether there was one.
    func discard() throws(PacketLinkError) -> Bool {
        let byte = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { unsafe byte.deallocate() }
        return try unsafe read(into: byte) != nil
    }

    /// Writes one packet; does nothing if another component moves the packets.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(PacketLinkError) -> Write {
        if tap != nil { return .done }
        while true {
            let count = unsafe headwind_write(descriptor.rawValue, bytes.baseAddress, bytes.count)
            if count >= 0 { return .done }
            switch errno {
            case EAGAIN: return .full
            case EINTR: continue
            case ENOBUFS, ENOMEM: return .noMemory
            // EIO: a TUN that is not up; it may come up again.
            case EINVAL, EMSGSIZE, EIO, ENETDOWN, EPERM: return .refused(errno)
            case EPIPE, ECONNRESET, ECONNREFUSED, ENOTCONN: throw .ended(end)
            case let code: throw .descriptor(end, attempt: "write packets to", code: code)
            }
        }
    }

    /// Makes the descriptor non-blocking.
    func makeNonBlocking() throws(PacketLinkError) {
        let flags = fcntl(descriptor.rawValue, F_GETFL)
        guard flags >= 0, flags & O_NONBLOCK != 0 || fcntl(descriptor.rawValue, F_SETFL, flags | O_NONBLOCK) >= 0 else {
            throw .descriptor(end, attempt: "set up", code: errno)
        }
    }
}
