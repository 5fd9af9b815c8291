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

    package var limits: Limits
    /// Room for packs.
    package var capacity: ByteCount
    package var radio: Radio
    /// Whether the app may use a cellular radio.
    package var isCellularAllowed: Bool
}
