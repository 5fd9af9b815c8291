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
    /// What it takes of asset catalogs; everything unless set.
    package var slice: Slice?
    /// Room for packs, as the built-in client keeps account of it.
    package var capacity: ByteCount
    /// How much the file system holds that the client's files are on; nil if it does not matter.
    package var storage: ByteCount?
    package var radio: Radio
    /// Whether the app may use a cellular radio.
    package var isCellularAllowed: Bool
}
