import FoundationEssentials
import Glibc
import SystemPackage

@testable import PackFormat

/// Reads `AssetPackManifest.plist`: it is refused, or survives a write and a read.
func fuzzManifest(_ bytes: [UInt8]) throws {
    guard let manifest = try? AssetPackManifest(plist: bytes) else { return }
    let again = try require("a manifest that was read cannot be written and read") {
        try AssetPackManifest(plist: try manifest.plist())
    }
    try demand(again.resources.count == manifest.resources.count, "packs were lost")
}

/// Reads `OnDemandResources.plist` and a pack's `Info.plist`: each is refused, or survives a write and a read.
func fuzzLists(_ bytes: [UInt8]) throws {
    if let table = try? TagTable(plist: bytes) {
        let again = try require("a table that was read cannot be written and read") {
            try TagTable(plist: try table.plist())
        }
        try demand(again.packsByTag.count == table.packsByTag.count, "tags were lost")
        _ = table.tagsByPack
    }
    if let info = try? PackInfo(plist: bytes) {
        let again = try require("a description that was read cannot be written and read") {
            try PackInfo(plist: try info.plist())
        }
        try demand(again.identifier == info.identifier && again.tags == info.tags, "a description changed")
    }
}

/// Unpacks a pack's archive: within its bounds and its folder, or it is refused and leaves nothing.
func fuzzArchive(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        let file = try place.file("archive", bytes)
        let folder = place.inner.appending("a/b")
        mkdir(place.inner.appending("a").string, 0o700)
        var limits = PackArchive.ExtractionLimits()
        // Limits as small as the seeds allow, so that inputs of a few kB reach them. Pieces are small too, so that
        // bytes are counted before the end of an entry shows that it is damaged.
        limits.bytes = 3 << 10
        limits.pieceBytes = 256
        limits.entries = 100
        limits.directoryBytes = 64 << 10
        _ = try? PackArchive.info(of: file)
        var most: Int64 = 0
        let extraction = try? PackArchive.extract(file: file, into: folder, limits: limits) { most = max(most, $0) }
        try demand(most <= limits.bytes, "\(most) bytes were unpacked, and \(limits.bytes) is the most")
        guard let extraction else {
            try demand(access(folder.string, F_OK) != 0, "a refused archive left something")
            return
        }
        let entries = try require("what was unpacked cannot be listed") { try FileTree.entries(of: folder) }
        let kinds: Set<FileType> = [.regular, .directory]
        try demand(entries.allSatisfy { kinds.contains($0.kind) }, "neither file nor folder was made")
        try demand(entries.count { $0.kind == .regular } == extraction.files, "files are missing")
        try demand(entries.map(\.size).reduce(0, +) == extraction.bytes, "bytes are missing")
        let unpacked = entries.filter { $0.kind == .regular }.map { ($0.path, $0.size) }
        let listed = try filesOfDirectory(file, limits)
        try demand(Dictionary(uniqueKeysWithValues: unpacked) == listed, "the archive's directory has other files")
        try? FileManager.default.removeItem(atPath: folder.string)
        let around = try FileTree.entries(of: place.inner).map(\.path)
        try demand(around == ["a", "archive"], "something was written elsewhere: \(around)")
    }
}

/// The files in an archive's directory with their sizes, without those that extraction skips.
private func filesOfDirectory(_ file: FilePath, _ limits: PackArchive.ExtractionLimits) throws -> [String: Int64] {
    let directory = try ArchiveDirectory(of: try ArchiveSource(file), limits: limits)
    let files = directory.entries.filter { !$0.isFolder && !PackArchive.isPassedOver($0.name) }
    return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.header.size) })
}
