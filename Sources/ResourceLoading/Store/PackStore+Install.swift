import FoundationEssentials
import LinuxSupport
import PackFormat
import Synchronization
import SystemPackage

extension PackStore {
    /// A pack's files on their way into the store: complete, and out of sight.
    struct Unpacked: Sendable {
        let folder: FilePath
        let stored: StoredPack
    }

    /// Makes a pack's folder from its downloaded file, out of sight, and brings it to the disk.
    ///
    /// Throws `wrongContent` for an archive that is none, that tries to reach out of its folder or that unpacks to far
    /// more than the manifest says, and `noSpace` where the file system is full; then nothing is left of it.
    func unpack(_ file: FilePath, as pack: CatalogPack) async throws(DownloadFailure) -> Unpacked {
        let name = StoreLayout.name(of: pack.identifier)
        let folder = layout.temporary.appending("\(name).new.\(MonotonicClock.now)")
        return try await BlockingWork.run { [self] () throws(DownloadFailure) in
            do {
                try fill(folder, from: file, pack)
                return Unpacked(folder: folder, stored: try Self.seal(folder, pack))
            } catch {
                notePeak()
                try? FileSystem.remove(folder)
                inventory.withLock { $0.unpacking[folder.string] = nil }
                throw Self.failure(error, pack)
            }
        }
    }

    private func fill(_ folder: FilePath, from file: FilePath, _ pack: CatalogPack) throws {
        guard let fileName = pack.fileName else {
            // An unpacking that fails has removed what it wrote before it says so: what it told until then counts.
            _ = try PackArchive.extract(file: file, into: folder, limits: Self.limits(of: pack, in: file)) { bytes in
                inventory.withLock { $0.unpacking[folder.string] = bytes }
            }
            return
        }
        try FileSystem.makeFolder(folder)
        do {
            // A second name, so that the download is not lost if what follows fails.
            try FileSystem.link(file, to: folder.appending(fileName))
        } catch {
            // Some file systems have no second names.
            try FileSystem.rename(file, to: folder.appending(fileName))
        }
    }

    /// Bytes of the files that a pack's download has, before anything is unpacked.
    ///
    /// Throws `wrongContent` for an archive that is none, or that has far more than the manifest says.
    func unpackedBytes(of file: FilePath, as pack: CatalogPack) async throws(DownloadFailure) -> Int64 {
        guard pack.fileName == nil else { return FileSystem.status(of: file)?.size ?? 0 }
        return try await BlockingWork.run { () throws(DownloadFailure) in
            let bytes: Int64
            do { bytes = try PackArchive.unpackedBytes(of: file) } catch { throw Self.failure(error, pack) }
            let most = Self.mostBytes(of: pack, in: file)
            guard bytes <= most else {
                throw DownloadFailure(.wrongContent, "The archive unpacks to \(bytes) bytes: more than \(most).")
            }
            return bytes
        }
    }

    /// What an archive may unpack to: what its directory says, and at most twice what is said of it or what it has itself, whichever is more, and a MiB.
    ///
    /// Builders count folders, blocks or signatures, or do not, so what the manifest says is no exact bound.
    private static func limits(of pack: CatalogPack, in file: FilePath) -> PackArchive.ExtractionLimits {
        var limits = PackArchive.ExtractionLimits()
        limits.bytes = mostBytes(of: pack, in: file)
        // Room was asked for what the directory says.
        if let bytes = try? PackArchive.unpackedBytes(of: file) { limits.bytes = min(limits.bytes, bytes) }
        return limits
    }

    private static func mostBytes(of pack: CatalogPack, in file: FilePath) -> Int64 {
        let most = PackArchive.ExtractionLimits().bytes
        let told = min(max(pack.storedSize, FileSystem.status(of: file)?.size ?? 0), most)
        return min(most, 2 * told + 1 << 20)
    }

    /// Measures a pack, leaves its note in it, and brings all to the disk.
    private static func seal(_ folder: FilePath, _ pack: CatalogPack) throws(StoreError) -> StoredPack {
        let stored = StoredPack(
            pack: pack.identifier,
            bytes: try FileSystem.totalSize(of: folder),
            tags: pack.tags,
            edition: pack.edition
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let note = try? encoder.encode(stored) else {
            preconditionFailure("a note of texts and numbers can always be encoded")
        }
        try FileSystem.replaceContents(of: folder.appending(StoreLayout.noteName), with: Array(note))
        try FileSystem.synchroniseTree(folder)
        return stored
    }

    /// Removes a pack that is not to be seen; what stays of it goes when the store is opened next.
    func discard(_ unpacked: Unpacked) {
        notePeak()
        try? FileSystem.remove(unpacked.folder)
        inventory.withLock { $0.unpacking[unpacked.folder.string] = nil }
    }

    /// Tells a pack that is wrong from a store that cannot take it, and a lack of room now from one in mid-download.
    private static func failure(_ error: any Error, _ pack: CatalogPack) -> DownloadFailure {
        switch error {
        case let error as StoreError:
            var failure = DownloadFailure(error)
            if failure.kind == .noSpace { failure.detail = noRoom(failure.detail, pack) }
            return failure
        case let error as PackFormatError:
            let text = error.description
            switch error {
            case .noSpace:
                let cause = ResourceError.Underlying(domain: "NSPOSIXErrorDomain", code: 28, message: text)
                return .init(.noSpace, noRoom(text, pack), underlying: cause)
            case .fileNotRead, .fileNotWritten: return .init(.storeFailed, text)
            case .badArchive, .badSite, .notReadable: return .init(.wrongContent, text)
            }
        default: return .init(.wrongContent, "\(error)")
        }
    }

    private static func noRoom(_ reason: String, _ pack: CatalogPack) -> String {
        "The download is complete, but there is no room to unpack its \(pack.storedSize) bytes. \(reason)"
    }

    /// Makes a pack visible in one step, in place of an older edition, and removes its partial download.
    ///
    /// Throws where a request pins another edition, here or in another process: that one stays.
    func publish(_ unpacked: Unpacked) async throws(DownloadFailure) -> StoredPack {
        notePeak()
        do throws(StoreError) {
            return try await BlockingWork.run { [self] () throws(StoreError) in try replace(with: unpacked) }
        } catch {
            discard(unpacked)
            throw DownloadFailure(error)
        }
    }

    private func replace(with unpacked: Unpacked) throws(StoreError) -> StoredPack {
        let stored = unpacked.stored
        let older = try exclusively { inventory throws(StoreError) in
            let folder = layout.folder(of: stored.pack)
            try refuseWhilePinned(stored.pack, stored.edition, inventory)
            announceChange(inventory)
            let older = try hide(folder, in: layout)
            try FileSystem.rename(unpacked.folder, to: folder)
            try FileSystem.synchronise(layout.packs)
            try layout.partial(of: stored.pack).remove()
            inventory.noteStored(stored, from: unpacked.folder)
            return older
        }
        if let older { try FileSystem.remove(older) }
        return stored
    }

    /// Throws where a request pins another edition of the pack than this one, here or in another process.
    func refuseWhilePinned(_ pack: String, _ edition: PackEdition) throws(StoreError) {
        try inventory.withLock { inventory throws(StoreError) in try refuseWhilePinned(pack, edition, inventory) }
    }

    private func refuseWhilePinned(
        _ pack: String,
        _ edition: PackEdition,
        _ inventory: StoreInventory
    ) throws(StoreError) {
        // An app of Background Assets keeps the files that it has open, and nothing is pinned for it.
        guard !inventory.keepsPacks, let stored = inventory.packs[pack], stored.edition != edition,
            inventory.isPinned(pack)
        else { return }
        let detail = "Another edition of the pack is in use: end the requests that pin it, then try again."
        throw StoreError("replace", layout.folder(of: pack), nil, detail: detail)
    }

    /// Bytes of a partial download with which this edition of a pack can go on.
    func partialBytes(of pack: String, _ edition: PackEdition) -> Int64 {
        layout.partial(of: pack).resumePoint(for: pack, edition)?.offset ?? 0
    }
}
