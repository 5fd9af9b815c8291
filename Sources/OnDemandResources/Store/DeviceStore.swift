package import SystemPackage

/// A store as it is found in a folder: one by itself, or one bundle's on a device.
package struct DeviceStore: Sendable {
    /// The bundle, on a device that several share; nil for a store by itself.
    package let bundle: String?
    /// The store's folder.
    package let root: FilePath
    let device: DeviceLayout?

    /// Opens the store, with the gate and the room of its device.
    ///
    /// Throws where it cannot be used.
    package func open(capacity: Int64? = nil) throws(StoreError) -> PackStore {
        try PackStore(StoreLayout(root: root), on: device, capacity: capacity)
    }
}
