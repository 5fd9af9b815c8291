import CLinux
import LinkModel
import SystemPackage

/// The descriptor of one end, and its state in the loop.
struct PacketDevice {
    /// The port for reading from and writing to the device.
    let port: PacketPort
    /// What epoll watches on it.
    var isReadWatched = true
    var isWriteWatched = false
    private var hasCarrier = true
    /// A packet for which the device had no room; nil if there is none.
    var blocked: Departure?
    /// When to try to write that packet again; nil: when epoll reports room.
    var retryAt: Instant?

    /// `isWatched`: whether another component moves the packets, and the link only counts them.
    init(_ end: End, _ descriptor: FileDescriptor, isWatched: Bool) throws(PacketLinkError) {
        port = PacketPort(end: end, descriptor: descriptor, tap: isWatched ? try PacketTap(end, descriptor) : nil)
    }

    /// Sets whether the device has a carrier, like a cable that is plugged in; ignored by a device without one.
    mutating func setCarrier(_ isThere: Bool) {
        guard isThere != hasCarrier else { return }
        hasCarrier = isThere
        _ = headwind_tun_set_carrier(port.descriptor.rawValue, isThere)
    }
}
