import FoundationEssentials
package import SystemPackage

/// One film of 4 MB on demand: large enough to tell who resumes from who begins anew, however large his blocks are.
package enum FilmCatalog {
    /// The app that the resource belongs to.
    package static let bundleID = "com.example.film"
    /// The bytes of the film.
    package static let size = 4_000_000

    /// Writes the file below `folder`, always the same one; throws where it cannot be written.
    package static func write(to folder: FilePath) throws -> Catalog {
        let path = "films/film.bin"
        let file = folder.appending(path)
        try FileManager.default.createDirectory(
            atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
        var random = SplitMix64(state: 0x66_69_6C_6D)
        let data = Data((0..<size / 8).flatMap { _ in random.next().bytes })
        try data.write(to: URL(filePath: file.string))
        let date = Date(timeIntervalSince1970: 1_433_808_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.string)
        return Catalog(
            bundleID: bundleID, root: folder,
            resources: [
                .init(
                    path: path, tags: ["film"], size: Int64(size),
                    modified: Int64(date.timeIntervalSince1970) * 1_000_000_000)
            ])
    }
}
