package import LinkModel
package import PackFormat

/// The device that the built-in client simulates.
package struct Device: Hashable, Sendable {
    /// How a device is connected.
    package enum Radio: String, CaseIterable, Sendable {
        case wifi
        case cellular
        case none
    }

    package var limits: Limits
    /// The variants of asset catalogs that it takes; nil: all.
    package var slice: Slice?
    /// The capacity for packs, in the built-in client's own accounts.
    package var capacity: ByteCount
    /// The size of the file system for the client's files; nil: they are on a file system of this machine.
    package var storage: ByteCount?
    package var radio: Radio
    /// Whether the app may use a cellular radio.
    package var isCellularAllowed: Bool

    /// The largest storage of a device that a fault fills: the room that it takes is memory.
    package static let largestFilled = ByteCount(64_000_000)
}
