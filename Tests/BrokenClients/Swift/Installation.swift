import Foundation

/// Checks a whole download, and turns it into a pack's folder.
struct Installation {
    let pack: Pack
    let path: String
    let store: Store
    let bugs: Bugs

    /// Checks, unpacks and publishes the file, and returns the bytes of the pack.
    ///
    /// Throws if the file is not the pack.
    func run(lock: NSRecursiveLock) throws -> Int64 {
        // BUG: visible before it is checked.
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
            // BUG: takes it for whole, or trusts the host.
            if bugs.has(.ignoresShortBody), size < expected { return }
            if bugs.isCredulous { return }
            throw Failure(.wrongContent, "The file has \(size) bytes, and not \(expected).")
        }
        // BUG: no comparison.
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
        // A link takes no space, and the file lives on under its new name.
        guard link(path, target) == 0 else {
            let kind: Failure.Kind = errno == ENOSPC ? .noSpace : .unwritable
            throw Failure(kind, "'\(target)' cannot be written: \(String(cString: strerror(errno))).")
        }
    }
}
