import Glibc
package import SystemPackage

/// Where things are in a device's folder, whose room several bundles share.
///
///     device                     says that this folder is a device
///     gate                       locked by who changes one of its stores; counts the changes
///     bundles/<name>/…           each bundle's store
struct DeviceLayout: Sendable {
    /// What the mark has in it: a folder without it is no device, and is left alone.
    static let title = "headwind device 1\n"

    let root: FilePath

    var mark: FilePath { root.appending("device") }
    var gate: FilePath { root.appending("gate") }
    var bundles: FilePath { root.appending("bundles") }

    /// Whether the folder is a device's.
    var isDevice: Bool { FileSystem.status(of: mark) != nil }

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
    /// Throws for a folder that holds other things.
    func prepare() throws(StoreError) {
        try FileSystem.makeFolder(root)
        guard !isDevice else { return }
        guard try FileSystem.entries(of: root).isEmpty else {
            let detail = "The folder is not empty and is no device of several apps: name an empty or a new one."
            throw StoreError("use as a device", root, nil, detail: detail)
        }
        try FileSystem.replaceContents(of: mark, with: Array(Self.title.utf8))
    }
}

extension PackStore {
    /// The stores of a device by bundle, sorted; a folder that is a store of one app is that, without a bundle's name.
    package static func stores(in root: FilePath) -> [(bundle: String?, root: FilePath)] {
        let device = DeviceLayout(root: root)
        return device.isDevice ? device.stores.map { ($0.bundle, $0.layout.root) } : [(nil, root)]
    }

    /// Removes what is left of a device whose stores were all reset; the folder stays, empty.
    ///
    /// Throws what the file system answers, also where a bundle has come meanwhile.
    package static func resetDevice(_ root: FilePath) throws(StoreError) {
        let device = DeviceLayout(root: root)
        for store in try FileSystem.entries(of: device.bundles) {
            let folder = device.bundles.appending(store)
            // Nothing but an empty folder: a store in it is somebody's.
            guard unsafe folder.withPlatformString({ unsafe rmdir($0) }) == 0 else {
                throw StoreError("remove the folder", folder, Errno(rawValue: Glibc.errno))
            }
        }
        for path in [device.bundles, device.gate, device.mark] { try FileSystem.remove(path) }
    }
}
