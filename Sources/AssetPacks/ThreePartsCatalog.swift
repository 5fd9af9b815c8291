import FoundationEssentials
package import SystemPackage

/// An app whose initial install has 50, 30 and 60 MB, the example of WWDC 2015 session 214: too much for an install over a
/// cellular network.
///
/// The sizes are real, and the files are holes but for their first bytes.
package enum ThreePartsCatalog {
    /// The app that the resources belong to.
    package static let bundleID = "com.example.three-parts"
    /// The bytes of its parts.
    package static let sizes: [Int64] = [50_000_000, 30_000_000, 60_000_000]

    /// Writes the files below `folder`, always the same ones; throws where they cannot be written.
    package static func write(to folder: FilePath) throws -> Catalog {
        let parts = folder.appending("parts")
        try FileManager.default.createDirectory(atPath: parts.string, withIntermediateDirectories: true)
        let date = Date(timeIntervalSince1970: 1_433_808_000)
        let tags = (1...sizes.count).map { "part-\($0)" }
        let resources = try zip(tags, sizes).map { tag, size in
            let path = "parts/\(tag).bin"
            let file = folder.appending(path)
            let descriptor = try FileDescriptor.open(
                file, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try descriptor.closeAfter {
                _ = try descriptor.writeAll(tag.utf8)
                try descriptor.resize(to: size)
            }
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.string)
            return Catalog.Resource(
                path: path, tags: [tag], size: size, modified: Int64(date.timeIntervalSince1970) * 1_000_000_000)
        }
        return Catalog(bundleID: bundleID, root: folder, resources: resources, initialInstall: Set(tags))
    }
}
