import CLinux
import Glibc
import LinkModel
import SystemPackage

/// Heads of packets that leave an interface, as a socket of packet(7) shows them; for one thread.
@safe final class PacketTap {
    private var tap = unsafe headwind_tap()

    /// As many wait to be read at most.
    static let most = Int(HEADWIND_TAP_PACKETS)

    /// Takes over what `headwind_tap_open` has opened; the descriptor stays the caller's.
    init(_ end: End, _ descriptor: FileDescriptor) throws(PacketLinkError) {
        guard unsafe headwind_tap_map(&tap, descriptor.rawValue) == 0 else {
            throw .descriptor(end, attempt: "watch the packets of", code: errno)
        }
        // What came before there was room was not missed.
        _ = missedPackets()
    }

    deinit {
        unsafe headwind_tap_unmap(&tap)
    }

    /// Copies the head of the next packet, and answers the length of the packet; nil where there is none.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard let start = room.baseAddress else { return nil }
        let length = unsafe headwind_tap_read(&tap, start, room.count)
        return length > 0 ? length : nil
    }

    /// Packets for which there was no room, since this was last asked.
    func missedPackets() -> Int { max(0, Int(unsafe headwind_tap_missed(&tap))) }
}
