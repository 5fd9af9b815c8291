package import LinkModel
package import PackFormat

/// What the built-in client stands for.
package struct Device: Hashable, Sendable {
    /// How a device is connected.
    package enum Radio: String, CaseIterable, Sendable {
        case wifi
        case cellular
        case none
    }

    package let limits: Limits
    /// Room for packs.
    package let capacity: ByteCount
    package let radio: Radio
    /// Whether the app may use a cellular radio.
    package let isCellularAllowed: Bool
}
