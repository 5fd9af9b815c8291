import FoundationEssentials
import LinkModel
package import SystemPackage

/// The catalogs that are part of Headwind, by their names in scenarios.
package enum BuiltInCatalog: String, CaseIterable, Sendable {
    /// The catalog of the tutorials on On-Demand Resources: pictures of coloured shapes, requested by colour and shape.
    ///
    /// Each of the twelve pictures has the tags of its colour and its shape, seven tags in all. So red and circle share
    /// one pack.
    case shapes
    /// A game with packs of all three categories.
    ///
    /// Its menu comes with the app. A first level and music come after it. Five levels and a bonus are on demand, and
    /// so are monsters that two levels share.
    case adventure
    /// The same game, updated: the menu and the second and third level have changed, and there is a seventh level.
    case adventure2 = "adventure-2"
    /// An app whose initial install has 50, 30 and 60 MB, the example of WWDC 2015 session 214.
    ///
    /// That is too much for an install over a cellular network. The files are holes except for their first bytes.
    case threeParts = "three-parts"
    /// One film of 4 MB on demand.
    ///
    /// It is large enough to distinguish a client that resumes from one that starts again, however large its blocks
    /// are.
    case film

    /// A file with these first bytes; the rest, up to `size`, is a hole.
    private struct Part {
        var path: String
        var tags: Set<String>
        var bytes: [UInt8]
        var size: Int64?
        var edition = 1
    }

    /// Writes the catalog's files below `folder`, always the same ones; throws if they cannot be written.
    package func write(to folder: FilePath) throws -> Catalog {
        let (bundle, parts, initialInstall, prefetch) = contents
        let resources = try parts.sorted { $0.path < $1.path }.map { part in
            let path = folder.appending(part.path)
            let size = part.size ?? Int64(part.bytes.count)
            try FileManager.default.createDirectory(
                atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
            let file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try file.closeAfter {
                _ = try file.writeAll(part.bytes)
                try file.resize(to: size)
            }
            // The day on which On-Demand Resources were introduced: a fixed day, so that the packs are the same
            // everywhere.
            let seconds: Int64 = 1_433_808_000 + Int64(part.edition - 1) * 86_400
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: path.string)
            return Catalog.Resource(path: part.path, tags: part.tags, size: size, modified: seconds * 1_000_000_000)
        }
        return Catalog(
            bundleID: "com.example.\(bundle)", root: folder, resources: resources, initialInstall: initialInstall,
            prefetch: prefetch)
    }

    private var contents: (bundle: String, parts: [Part], initialInstall: Set<String>, prefetch: [String]) {
        switch self {
        case .shapes: ("shapes", Self.pictures, [], [])
        case .adventure: ("adventure", Self.game(edition: 1), ["menu"], ["level-1", "music"])
        case .adventure2: ("adventure", Self.game(edition: 2), ["menu"], ["level-1", "music"])
        case .threeParts:
            (
                "three-parts",
                [("part-1", 50_000_000), ("part-2", 30_000_000), ("part-3", 60_000_000)].map { tag, size in
                    Part(path: "parts/\(tag).bin", tags: [tag], bytes: Array(tag.utf8), size: size)
                }, ["part-1", "part-2", "part-3"], []
            )
        case .film:
            (
                "film", [Part(path: "films/film.bin", tags: ["film"], bytes: Self.noise(4_000_000, 0x66_69_6C_6D))], [],
                []
            )
        }
    }

    private static var pictures: [Part] {
        // Sides that make files of 100 to 600 kB, not in order of size.
        let sides = [200, 330, 260, 400, 300, 210, 440, 240, 360, 280, 230, 420]
        let kinds = ShapePicture.Colour.allCases.flatMap { colour in ShapePicture.Shape.allCases.map { (colour, $0) } }
        return zip(kinds, sides).enumerated().map { index, picture in
            let ((colour, shape), side) = picture
            return Part(
                path: "shapes/\(colour.rawValue)-\(shape.rawValue).png", tags: [colour.rawValue, shape.rawValue],
                bytes: ShapePicture(colour: colour, shape: shape, side: side, seed: UInt64(index + 1)).png())
        }
    }

    private static func game(edition: Int) -> [Part] {
        func part(_ path: String, _ tags: Set<String>, _ size: Int, isChanged: Bool = false) -> Part {
            let edition = isChanged ? edition : 1
            let seed = path.utf8.reduce(UInt64(edition)) { seed, byte in
                var random = SeededGenerator(seed: seed)
                return random.next() ^ UInt64(byte)
            }
            return Part(path: path, tags: tags, bytes: noise(size, seed), edition: edition)
        }
        return [
            part("menu/menu.bin", ["menu"], 60_000, isChanged: true), part("music/theme.bin", ["music"], 40_000),
            part("monsters/monsters.bin", ["level-2", "level-3"], 50_000), part("bonus/bonus.bin", ["bonus"], 80_000),
        ]
            + (1...(edition == 1 ? 6 : 7)).map {
                part("levels/level-\($0).bin", ["level-\($0)"], 100_000, isChanged: [2, 3, 7].contains($0))
            }
    }

    /// `size` random bytes, which cannot be compressed; each random number gives its bytes from the lowest on.
    private static func noise(_ size: Int, _ seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<size / 8).flatMap { _ in
            let bits = random.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        }
    }
}
