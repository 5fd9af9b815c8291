import FoundationEssentials
package import SystemPackage

/// The catalog of the tutorials on On-Demand Resources: pictures of coloured shapes, requested by colour and by shape.
///
/// Twelve pictures, seven tags: each has its colour's and its shape's, so that red and then circle share one pack.
package enum SeedCatalog {
    /// The app that the pictures belong to.
    package static let bundleID = "com.example.shapes"

    /// Writes the pictures below `folder`, always the same ones; throws where they cannot be written.
    package static func write(to folder: FilePath) throws -> Catalog {
        var resources: [Catalog.Resource] = []
        let pictures = folder.appending("shapes")
        try FileManager.default.createDirectory(atPath: pictures.string, withIntermediateDirectories: true)
        for (row, colour) in ShapePicture.Colour.allCases.enumerated() {
            for (column, shape) in ShapePicture.Shape.allCases.enumerated() {
                let index = row * ShapePicture.Shape.allCases.count + column
                let path = "shapes/\(colour.rawValue)-\(shape.rawValue).png"
                let picture = ShapePicture(colour: colour, shape: shape, side: side(index), seed: UInt64(index + 1))
                let file = folder.appending(path).string
                let png = picture.png()
                try Data(png).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
                resources.append(
                    Catalog.Resource(
                        path: path, tags: [colour.rawValue, shape.rawValue], size: Int64(png.count),
                        modified: Int64(date.timeIntervalSince1970) * 1_000_000_000))
            }
        }
        return Catalog(bundleID: bundleID, root: folder, resources: resources.sorted { $0.path < $1.path })
    }

    /// The day on which the resources were introduced; a fixed one, so that the packs are the same everywhere.
    private static let date = Date(timeIntervalSince1970: 1_433_808_000)

    /// Sides that make files of 100 to 600 kB, in no order of size.
    private static func side(_ index: Int) -> Int {
        let sides = [200, 330, 260, 400, 300, 210, 440, 240, 360, 280, 230, 420]
        return sides[index % sides.count]
    }
}
