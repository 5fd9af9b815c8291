import CLinux
import LinkModel
import SystemPackage

/// The descriptor of one end, and how far the loop has come with it.
struct PacketDevice {
    let end: End
    let descriptor: FileDescriptor
    private let tap: PacketTap?
    /// What epoll has been told.
    var isReadWatched = true
    var isWriteWatched = false
    private var hasCarrier = true
    /// A packet that the device had no room for.
    var blocked: Departure?
    /// When to try that again; nil: when the device says so.
    var retryAt: Instant?

    /// `isWatched`: somebody else moves the packets.
    init(_ end: End, _ descriptor: FileDescriptor, isWatched: Bool) throws(PacketLinkError) {
        self.end = end
        self.descriptor = descriptor
        tap = isWatched ? try PacketTap(end, descriptor) : nil
    }

    /// Whether somebody else moves the packets.
    var isWatched: Bool { tap != nil }

    /// Packets of which nothing is known, since this was last asked.
    func missedPackets() -> Int { tap?.missedPackets() ?? 0 }

    /// The way to its device.
    var port: PacketPort { PacketPort(end: end, descriptor: descriptor, tap: tap) }

    /// Has the device show a carrier or none, as a cable that is pulled; a device that knows none is left alone.
    mutating func setCarrier(_ isThere: Bool) {
        guard isThere != hasCarrier else { return }
        hasCarrier = isThere
        _ = headwind_tun_set_carrier(descriptor.rawValue, isThere)
    }
}
