import CLinux
import LinkModel
import SystemPackage

/// The descriptor of one end, and how far the loop has come with it.
struct PacketDevice {
    let end: End
    let descriptor: FileDescriptor
    /// What epoll has been told.
    var isReadWatched = true
    var isWriteWatched = false
    private var hasCarrier = true
    /// A packet that the device had no room for.
    var blocked: Departure?
    /// When to try that again; nil: when the device says so.
    var retryAt: Instant?

    init(_ end: End, _ descriptor: FileDescriptor) {
        self.end = end
        self.descriptor = descriptor
    }

    /// The way to its device.
    var port: PacketPort { PacketPort(end: end, descriptor: descriptor) }

    /// Has the device show a carrier or none, as a cable that is pulled; a device that knows none is left alone.
    mutating func setCarrier(_ isThere: Bool) {
        guard isThere != hasCarrier else { return }
        hasCarrier = isThere
        _ = headwind_tun_set_carrier(descriptor.rawValue, isThere)
    }
}
