import Glibc
package import SystemPackage
import Wording

/// The paths in the folder of a device, whose room several bundles share.
///
///     device                     marks this folder as a device
///     gate                       locked while a process changes one of the stores; counts the changes
///     low-space                  counts how often a process found no room; all processes watch it
///     bundles/<name>/…           each bundle's store
struct DeviceLayout: Sendable {
    /// The content of the `device` file; a folder without that file is not a device and is left alone.
    static let title = "headwind device 1\n"

    let root: FilePath

    var mark: FilePath { root.appending("device") }
    var gate: FilePath { root.appending("gate") }
    var lowSpace: FilePath { root.appending("low-space") }
    var bundles: FilePath { root.appending("bundles") }

    /// Whether the folder is a device's.
    var isDevice: Bool { FileSystem.status(of: mark)?.type == .regular }

    /// The device that a store's folder belongs to; nil for a store by itself.
    static func above(_ store: FilePath) -> DeviceLayout? {
        // The kernel resolves "..", so a link to a bundle's folder leads to its device too.
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

    /// The stores that exist on the device, each with its bundle.
    var stores: [(bundle: String, layout: StoreLayout)] {
        ((try? FileSystem.entries(of: bundles)) ?? []).compactMap { name in
            let layout = StoreLayout(root: bundles.appending(name))
            guard FileSystem.status(of: layout.mark) != nil else { return nil }
            return (String(decoding: PercentEncoding.bytes(of: name.string), as: UTF8.self), layout)
        }
    }

    /// Turns the folder into a device, if it is empty or does not exist.
    ///
    /// Throws if the folder holds other things, or if a later version of Headwind made the device.
    func prepare() throws(StoreError) {
        try FileSystem.makeFolder(root)
        guard !isDevice else { return try StoreMark.refuseLater(mark, than: Self.title) }
        // Checked again: another process may have made it a device in the meantime.
        guard try FileSystem.entries(of: root, followsLink: true).isEmpty || isDevice else {
            let detail = "The folder is not empty and is not a device of several apps: name an empty or a new one."
            throw StoreError("use as a device", root, nil, detail: detail)
        }
        try writeMark()
    }

    /// Creates the mark file unless it exists.
    ///
    /// A process that is killed on the way leaves no half-made device: an empty mark file counts too.
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
    /// The stores in a folder: those of a device, sorted by bundle, or the folder itself as one app's store without a
    /// bundle.
    ///
    /// Throws if a later version of Headwind made the device.
    package static func stores(in root: FilePath) throws(StoreError) -> [DeviceStore] {
        let device = DeviceLayout(root: root)
        let above = DeviceLayout.above(root)
        try StoreMark.refuseLater((above ?? device).mark, than: DeviceLayout.title)
        guard device.isDevice else { return [DeviceStore(bundle: nil, root: root, device: above)] }
        return device.stores.map { DeviceStore(bundle: $0.bundle, root: $0.layout.root, device: device) }
    }

    /// Removes the rest of a device whose stores were all reset; the folder stays, empty.
    ///
    /// Throws the file system's error, also if a bundle was added in the meantime.
    package static func resetDevice(_ root: FilePath) throws(StoreError) {
        let device = DeviceLayout(root: root)
        let gate = try StoreGate(device.gate)
        let changes = gate.enter()
        defer { gate.leave(changes: changes + 1) }
        let hasBundles = FileSystem.status(of: device.bundles) != nil
        let stores = try hasBundles ? FileSystem.entries(of: device.bundles).map { device.bundles.appending($0) } : []
        for folder in stores + (hasBundles ? [device.bundles] : []) {
            // Removes only empty folders: a folder that holds a store belongs to an app.
            guard unsafe folder.withPlatformString({ unsafe rmdir($0) }) == 0 else {
                throw StoreError("remove the folder", folder, Errno(rawValue: Glibc.errno))
            }
        }
        // The gate goes last: a process that waits for it then finds no mark, and makes the device again.
        for path in [device.lowSpace, device.mark, device.gate] { try FileSystem.remove(path) }
    }

    /// Removes everything of a store and leaves an empty folder, as deleting the app does on a device.
    ///
    /// Throws if there is no store, or if another process uses it. Files that are not the store's stay.
    package static func reset(_ root: FilePath) throws(StoreError) {
        let layout = StoreLayout(root: root)
        guard FileSystem.status(of: layout.mark) != nil else {
            throw StoreError("reset", root, nil, detail: "The folder is not a store.")
        }
        let lock = try StoreLock(mark: layout.mark, alone: true)
        if let device = DeviceLayout.above(root) {
            // Processes that use other bundles also purge packs of this one.
            let gate = try StoreGate(device.gate)
            let changes = gate.enter()
            defer { gate.leave(changes: changes + 1) }
            try removeAll(of: layout)
        } else {
            try removeAll(of: layout)
        }
        _ = consume lock
    }

    private static func removeAll(of layout: StoreLayout) throws(StoreError) {
        for path in layout.folders + layout.notes + [layout.gate, layout.lowSpace] { try FileSystem.remove(path) }
        // The mark goes last: an interrupted reset leaves a store, which can be reset again.
        try FileSystem.remove(layout.mark)
    }
}

/// A store that was found in a folder: a store by itself, or one bundle's store on a device.
package struct DeviceStore: Sendable {
    /// The bundle, on a device that several bundles share; nil for a store by itself.
    package let bundle: String?
    /// The store's folder.
    package let root: FilePath
    let device: DeviceLayout?

    /// Opens the store, with the gate and the room of its device.
    ///
    /// `capacity` is the room in bytes; nil (the default) for as much as the file system has. Throws if the store
    /// cannot be used.
    package func open(capacity: Int64? = nil) throws(StoreError) -> PackStore {
        try PackStore(StoreLayout(root: root), on: device, capacity: capacity)
    }
}
