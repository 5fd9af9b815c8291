import SystemPackage
import Wording

/// The result of reading a store's folders, with or without its lock.
struct StoreSurvey: Sendable {
    var inventory: StoreInventory
    /// Files that belong to nothing, such as a note without bytes, or bytes without a note.
    var orphans: [FilePath] = []

    /// Reads the folders, which determine what is stored, and the index, which is only a hint.
    ///
    /// Missing or damaged notes are made again in memory, from a folder's name and its files.
    init(_ layout: StoreLayout, capacity: Int64? = nil) throws(StoreError) {
        inventory = StoreInventory(capacity: capacity)
        if let index: StoreIndex = FileSystem.note(at: layout.index, limit: 16 << 20), index.isSound {
            inventory.index = index
        }
        for name in try FileSystem.entries(of: layout.packs) {
            let pack = try Self.pack(in: layout.packs.appending(name), name: name.string)
            inventory.packs[pack.pack] = pack
        }
        try findPartials(in: layout)
    }

    private static func pack(in folder: FilePath, name: String) throws(StoreError) -> StoredPack {
        let note: StoredPack? = FileSystem.note(at: folder.appending(StoreLayout.noteName), limit: 1 << 20)
        if let pack = note, pack.version == 1, pack.bytes >= 0, StoreLayout.name(of: pack.pack) == name {
            return pack
        }
        let identifier = String(decoding: PercentEncoding.bytes(of: name), as: UTF8.self)
        return StoredPack(pack: identifier, bytes: try FileSystem.totalSize(of: folder))
    }

    private mutating func findPartials(in layout: StoreLayout) throws(StoreError) {
        for name in try FileSystem.entries(of: layout.partials) {
            let path = layout.partials.appending(name)
            guard let stem = path.stem, let kind = path.extension, kind == "part" || kind == "json" else {
                orphans.append(path)
                continue
            }
            let partial = PartialFile(folder: layout.partials, name: stem)
            guard let note = partial.readNote(), StoreLayout.name(of: note.pack) == stem, partial.size > 0,
                // If the editions are the same, the pack is stored, and its download was not removed yet.
                inventory.packs[note.pack]?.edition != note.edition
            else {
                orphans.append(path)
                continue
            }
            inventory.partials[note.pack] = partial.size
        }
    }
}
