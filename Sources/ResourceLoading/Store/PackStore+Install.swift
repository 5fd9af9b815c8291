import LinuxSupport
import PackFormat
import Synchronization
import SystemPackage

extension PackStore {
    /// A pack that is unpacked completely, but not visible in the store yet.
    typealias Unpacked = (folder: FilePath, stored: StoredPack)

    /// Unpacks a pack's downloaded file into a hidden folder, and flushes that to the disk.
    ///
    /// Throws `wrongContent` if the file is not an archive, has paths outside its folder, or unpacks to far more than
    /// the manifest says. Throws `noSpace` if the file system is full, and `storeFailed` if the store cannot be
    /// written. After an error nothing of the pack is left.
    func unpack(_ file: FilePath, as pack: CatalogPack) async throws(DownloadFailure) -> Unpacked {
        let name = StoreLayout.name(of: pack.identifier)
        let folder = layout.temporary.appending("\(name).new.\(MonotonicClock.now)")
        return try await BlockingWork.run { [self] () throws(DownloadFailure) in
            do {
                try fill(folder, from: file, pack)
                return (folder, try Self.seal(folder, pack))
            } catch {
                discard(folder)
                throw Self.failure(error, pack)
            }
        }
    }

    private func fill(_ folder: FilePath, from file: FilePath, _ pack: CatalogPack) throws {
        guard let fileName = pack.fileName else {
            // An unpacking that fails removes what it wrote before it throws, so the peak uses the bytes that it
            // reported until then.
            _ = try PackArchive.extract(file: file, into: folder, limits: Self.limits(of: pack, in: file)) { bytes in
                inventory.withLock { $0.unpacking[folder.string] = bytes }
            }
            return
        }
        try FileSystem.makeFolder(folder)
        do {
            // A hard link, so that the download is not lost if a later step fails.
            try FileSystem.link(file, to: folder.appending(fileName))
        } catch {
            // Some file systems have no hard links.
            try FileSystem.rename(file, to: folder.appending(fileName))
        }
    }

    /// Bytes of the files in a pack's download, counted without unpacking it.
    ///
    /// Throws `wrongContent` if the file is not an archive, or unpacks to far more than the manifest says.
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

    /// The limit on the bytes that an archive may unpack to.
    ///
    /// It is the size that the archive's own directory states, and at most 1 MiB more than twice the manifest's size or
    /// the file's size, whichever is larger. The manifest's size is no exact limit: builders may or may not count
    /// folders, blocks and signatures.
    private static func limits(of pack: CatalogPack, in file: FilePath) -> PackArchive.ExtractionLimits {
        var limits = PackArchive.ExtractionLimits()
        limits.bytes = mostBytes(of: pack, in: file)
        // Room was reserved for the size that the directory states.
        if let bytes = try? PackArchive.unpackedBytes(of: file) { limits.bytes = min(limits.bytes, bytes) }
        return limits
    }

    private static func mostBytes(of pack: CatalogPack, in file: FilePath) -> Int64 {
        let most = PackArchive.ExtractionLimits().bytes
        let told = min(max(pack.storedSize, FileSystem.status(of: file)?.size ?? 0), most)
        return min(most, 2 * told + 1 << 20)
    }

    /// Measures a pack, writes its note into its folder, and flushes both to the disk.
    private static func seal(_ folder: FilePath, _ pack: CatalogPack) throws(StoreError) -> StoredPack {
        let stored = StoredPack(
            pack: pack.identifier,
            bytes: try FileSystem.totalSize(of: folder),
            tags: pack.tags,
            edition: pack.edition
        )
        let note = FileSystem.json(stored, [.sortedKeys, .prettyPrinted])
        try FileSystem.replaceContents(of: folder.appending(StoreLayout.noteName), with: note)
        try FileSystem.synchroniseTree(folder)
        return stored
    }

    /// Removes what was unpacked but must not be published; what remains is removed when the store is opened next.
    private func discard(_ folder: FilePath) {
        notePeak()
        try? FileSystem.remove(folder)
        inventory.withLock { $0.unpacking[folder.string] = nil }
    }

    /// Distinguishes a wrong pack from a store that cannot take it, and a lack of room while unpacking from one while
    /// downloading.
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

    /// Makes a pack visible in one step, replaces an older edition, and removes its partial download.
    ///
    /// Throws if a request in this or another process pins another edition: that edition stays.
    func publish(_ unpacked: Unpacked) async throws(DownloadFailure) -> StoredPack {
        notePeak()
        do throws(StoreError) {
            return try await BlockingWork.run { [self] () throws(StoreError) in try replace(with: unpacked) }
        } catch {
            discard(unpacked.folder)
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

    /// Throws if a request in this or another process pins another edition of the pack than this one.
    func refuseWhilePinned(_ pack: String, _ edition: PackEdition) throws(StoreError) {
        try inventory.withLock { inventory throws(StoreError) in try refuseWhilePinned(pack, edition, inventory) }
    }

    private func refuseWhilePinned(
        _ pack: String,
        _ edition: PackEdition,
        _ inventory: StoreInventory
    ) throws(StoreError) {
        // With Background Assets an app keeps the files that it has open, and nothing is pinned for it.
        guard !inventory.keepsPacks, let stored = inventory.packs[pack], stored.edition != edition,
            inventory.isPinned(pack)
        else { return }
        let detail = "Another edition of the pack is in use: end the requests that pin it, then try again."
        throw StoreError("replace", layout.folder(of: pack), nil, detail: detail)
    }

    /// Bytes of a partial download that can be resumed for this edition of a pack; 0 if there are none.
    func partialBytes(of pack: String, _ edition: PackEdition) -> Int64 {
        layout.partial(of: pack).resumePoint(for: pack, edition)?.offset ?? 0
    }
}
