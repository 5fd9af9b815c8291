import Foundation

/// A download that is whole becomes a pack's folder, once it is right.
struct Installation {
    let pack: Pack
    let path: String
    let store: Store
    let bugs: Bugs

    /// Has the file checked, unpacked and published; answers the bytes of the pack.
    ///
    /// Throws why it is none.
    func run(lock: NSRecursiveLock) throws -> Int64 {
        // BUG: everybody sees it before anybody has looked.
        if bugs.has(.unpacksBeforeChecking) { try? unpack(into: store.folder(pack)) }
        try check()
        let folder = store.temporary(pack)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try unpack(into: folder)
        return try lock.withLock { try store.publish(pack, folder) }
    }

    private func check() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        if let expected = pack.size, size != expected {
            // BUG: what came is what there is; or the host will know what it sends.
            if bugs.has(.ignoresShortBody), size < expected { return }
            if bugs.isCredulous { return }
            throw Failure(.wrongContent, "The file has \(size) bytes, and not \(expected).")
        }
        // BUG: nobody compares.
        guard let digest = pack.digest, !bugs.has(.ignoresWrongHash), !bugs.isCredulous else { return }
        guard try sha256(of: path) == digest else {
            throw Failure(.wrongContent, "The file's SHA-256 is not the manifest's.")
        }
    }

    private func unpack(into folder: String) throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let name = pack.fileName { return try copy(to: "\(folder)/\(name)") }
        do { try Archive(path).unpack(into: folder) } catch let failure as Failure where failure.kind == .wrongContent {
            guard bugs.has(.ignoresShortBody) || bugs.isCredulous else { throw failure }
            try copy(to: "\(folder)/pack.assetpack")
        }
    }

    private func copy(to target: String) throws {
        // A link takes no room, and the download goes on under its new name alone.
        guard link(path, target) == 0 else {
            let kind: Failure.Kind = errno == ENOSPC ? .noSpace : .unwritable
            throw Failure(kind, "'\(target)' cannot be written: \(String(cString: strerror(errno))).")
        }
    }
}
