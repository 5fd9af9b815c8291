package import SystemPackage

extension PackStore {
    /// Removes all that a store is, and leaves an empty folder: what deleting the app does on a device.
    ///
    /// Throws where there is no store or where another process uses it. Files that are not the store's stay.
    package static func reset(_ root: FilePath) throws(StoreError) {
        let layout = StoreLayout(root: root)
        guard FileSystem.status(of: layout.mark) != nil else {
            throw StoreError("reset", root, nil, detail: "The folder is no store.")
        }
        let lock = try StoreLock(mark: layout.mark, alone: true)
        for path in layout.folders + [layout.gate, layout.index, layout.manifest, layout.tagTable] {
            try FileSystem.remove(path)
        }
        // The mark last: a reset that is cut short leaves a store, which can be reset again.
        try FileSystem.remove(layout.mark)
        _ = consume lock
    }
}
