import CLinux
import Glibc
import LinkModel
import SystemPackage

/// Reads the heads of packets that leave an interface, from a socket of packet(7); for one thread.
@safe final class PacketTap {
    private var tap = unsafe headwind_tap()

    /// The most packets that wait to be read.
    static let most = Int(HEADWIND_TAP_PACKETS)

    /// Reads from a descriptor of `headwind_tap_open`, which stays the caller's.
    init(_ end: End, _ descriptor: FileDescriptor) throws(PacketLinkError) {
        guard unsafe headwind_tap_map(&tap, descriptor.rawValue) == 0 else {
            throw .descriptor(end, attempt: "watch the packets of", code: errno)
        }
        // Packets before the buffer was mapped do not count as missed.
        _ = missedPackets()
    }

    deinit {
        unsafe headwind_tap_unmap(&tap)
    }

    /// Copies the head of the next packet, and returns the whole packet's length in bytes; nil if there is none.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard let start = room.baseAddress else { return nil }
        let length = unsafe headwind_tap_read(&tap, start, room.count)
        return length > 0 ? length : nil
    }

    /// The number of packets for which there was no room since the last call.
    func missedPackets() -> Int { max(0, Int(unsafe headwind_tap_missed(&tap))) }
}
