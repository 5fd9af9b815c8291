package import SystemPackage

extension PackStore {
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
