import FoundationEssentials
package import SystemPackage

/// A game with a menu that comes with the app, a first level and music that come after it, five levels and a bonus on
/// demand, and monsters that two levels share.
///
/// Its second edition has another menu, another second and third level, and a seventh one; all else is the same.
package struct AdventureCatalog: Sendable {
    /// 1, or 2 for the update.
    package var edition: Int

    /// The app that the resources belong to.
    package static let bundleID = "com.example.adventure"

    package init(edition: Int) { self.edition = edition }

    /// A file, its tags, its bytes, and the edition that it is from.
    private struct Part {
        var path: String
        var tags: Set<String>
        var size: Int
        var edition = 1
    }

    private var parts: [Part] {
        let newest = edition
        var parts = [
            Part(path: "menu/menu.bin", tags: ["menu"], size: 60_000, edition: newest),
            Part(path: "music/theme.bin", tags: ["music"], size: 40_000),
            Part(path: "monsters/monsters.bin", tags: ["level-2", "level-3"], size: 50_000),
            Part(path: "bonus/bonus.bin", tags: ["bonus"], size: 80_000),
        ]
        for level in 1...(newest == 1 ? 6 : 7) {
            let isChanged = newest > 1 && [2, 3, 7].contains(level)
            parts.append(
                Part(
                    path: "levels/level-\(level).bin", tags: ["level-\(level)"], size: 100_000,
                    edition: isChanged ? newest : 1))
        }
        return parts
    }

    /// Writes the files below `folder`, always the same ones; throws where they cannot be written.
    package func write(to folder: FilePath) throws -> Catalog {
        let resources = try parts.sorted { $0.path < $1.path }.map { part in
            let path = folder.appending(part.path)
            try FileManager.default.createDirectory(
                atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
            var seed = SplitMix64(state: UInt64(part.edition))
            for byte in part.path.utf8 { seed.state = seed.next() ^ UInt64(byte) }
            try Data((0..<part.size / 8).flatMap { _ in seed.next().bytes }).write(to: URL(filePath: path.string))
            let date = Self.date.addingTimeInterval(Double(part.edition - 1) * 86_400)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path.string)
            return Catalog.Resource(
                path: part.path, tags: part.tags, size: Int64(part.size),
                modified: Int64(date.timeIntervalSince1970) * 1_000_000_000)
        }
        return Catalog(
            bundleID: Self.bundleID, root: folder, resources: resources, initialInstall: ["menu"],
            prefetch: ["level-1", "music"])
    }

    /// A fixed day, so that the packs are the same everywhere.
    private static let date = Date(timeIntervalSince1970: 1_433_808_000)
}

extension UInt64 {
    /// The lowest one first.
    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
