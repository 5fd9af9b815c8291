import Glibc
package import SystemPackage

/// Where things are in a device's folder, whose room several bundles share.
///
///     device                     says that this folder is a device
///     gate                       locked by who changes one of its stores; counts the changes
///     low-space                  counts how often somebody found no room; watched by all
///     bundles/<name>/…           each bundle's store
struct DeviceLayout: Sendable {
    /// What the mark has in it: a folder without it is no device, and is left alone.
    static let title = "headwind device 1\n"

    let root: FilePath

    var mark: FilePath { root.appending("device") }
    var gate: FilePath { root.appending("gate") }
    var lowSpace: FilePath { root.appending("low-space") }
    var bundles: FilePath { root.appending("bundles") }

    /// Whether the folder is a device's.
    var isDevice: Bool { FileSystem.status(of: mark)?.isRegular == true }

    /// The device on which a store's folder is one of the bundles'; nil for a store by itself.
    static func above(_ store: FilePath) -> DeviceLayout? {
        // The kernel's way up, so that a link to a bundle's folder leads to its device too.
        let bundles = store.appending("..")
        let device = DeviceLayout(root: bundles.appending(".."))
        guard device.isDevice, let found = FileSystem.status(of: bundles),
            found.identity == FileSystem.status(of: device.bundles)?.identity
        else { return nil }
        return device
    }

    /// A bundle's store.
    func store(of bundle: String) -> StoreLayout {
        StoreLayout(root: bundles.appending(StoreLayout.name(of: bundle)))
    }

    /// The stores that there are, by bundle.
    var stores: [(bundle: String, layout: StoreLayout)] {
        ((try? FileSystem.entries(of: bundles)) ?? []).compactMap { name in
            let layout = StoreLayout(root: bundles.appending(name))
            guard FileSystem.status(of: layout.mark) != nil else { return nil }
            return (PercentEncoding.decode(name.string), layout)
        }
    }

    /// Makes the folder a device's, if it is empty or none.
    ///
    /// Throws for a folder that holds other things, and for a device of a later Headwind.
    func prepare() throws(StoreError) {
        try FileSystem.makeFolder(root)
        guard !isDevice else { return try StoreMark.refuseLater(mark, than: Self.title) }
        // Looked for again: another process may have made it a device meanwhile.
        guard try FileSystem.entries(of: root, followsLink: true).isEmpty || isDevice else {
            let detail = "The folder is not empty and is not a device of several apps: name an empty or a new one."
            throw StoreError("use as a device", root, nil, detail: detail)
        }
        try writeMark()
    }

    /// Says that the folder is a device, unless it says so: the mark is there, or it is not, whichever process is killed.
    func writeMark() throws(StoreError) {
        guard !isDevice else { return }
        do {
            let file = try FileDescriptor.open(
                mark, .writeOnly, options: [.create, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 0, Self.title.utf8) }
        } catch {
            throw StoreError("write", mark, error as? Errno)
        }
    }
}

extension PackStore {
    /// The stores of a device by bundle, sorted; a folder that is a store of one app is that, without a bundle's name.
    ///
    /// Throws for a device of a later Headwind.
    package static func stores(in root: FilePath) throws(StoreError) -> [DeviceStore] {
        let device = DeviceLayout(root: root)
        let above = DeviceLayout.above(root)
        try StoreMark.refuseLater((above ?? device).mark, than: DeviceLayout.title)
        guard device.isDevice else { return [DeviceStore(bundle: nil, root: root, device: above)] }
        return device.stores.map { DeviceStore(bundle: $0.bundle, root: $0.layout.root, device: device) }
    }

    /// Removes what is left of a device whose stores were all reset; the folder stays, empty.
    ///
    /// Throws what the file system answers, also where a bundle has come meanwhile.
    package static func resetDevice(_ root: FilePath) throws(StoreError) {
        let device = DeviceLayout(root: root)
        let gate = try StoreGate(device.gate)
        let changes = gate.enter()
        defer { gate.leave(changes: changes + 1) }
        let hasBundles = FileSystem.status(of: device.bundles) != nil
        let stores = try hasBundles ? FileSystem.entries(of: device.bundles).map { device.bundles.appending($0) } : []
        for folder in stores + (hasBundles ? [device.bundles] : []) {
            // Nothing but an empty folder: a store in it is somebody's.
            guard unsafe folder.withPlatformString({ unsafe rmdir($0) }) == 0 else {
                throw StoreError("remove the folder", folder, Errno(rawValue: Glibc.errno))
            }
        }
        // The gate last: a process that waits at it finds no mark, and makes the device anew.
        for path in [device.lowSpace, device.mark, device.gate] { try FileSystem.remove(path) }
    }
}

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
