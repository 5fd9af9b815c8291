import AssetPacks
import Wording

/// Packs as lines of text.
enum PackText {
    /// The lines of a table of packs, with aligned columns; nil is shown as `-`.
    static func table(_ packs: [BuildReport.Pack]) -> [String] {
        let head = ["TAGS", "SIZE", "DOWNLOAD", "PRIORITY", "NAME"]
        let rows = packs.map { pack in
            [
                pack.tags.isEmpty ? "-" : pack.tags.joined(separator: "+"), size(pack.uncompressedSize),
                pack.downloadSize.map(size) ?? "-", pack.priority.map(priority) ?? "-", pack.name,
            ]
        }
        return TextTable.lines([head] + rows)
    }

    /// A priority with three decimal places: 0.95 for the 0.9500000000000001 of Xcode's sum.
    static func priority(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

    /// Bytes in decimal units with one place, such as `1.2 MB`.
    static func size(_ bytes: Int64) -> String {
        var (unit, units) = (Int64(1), ["B", "kB", "MB", "GB"][...])
        while units.count > 1, bytes >= unit * 1000 {
            unit *= 1000
            units = units.dropFirst()
        }
        guard unit > 1 else { return "\(bytes) B" }
        let tenths = bytes / (unit / 10)
        return "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
    }
}
