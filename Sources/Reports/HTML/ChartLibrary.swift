import FoundationEssentials

/// dygraphs (https://dygraphs.com), which draws a page's charts, as Debian's package libjs-dygraphs has it.
package struct ChartLibrary: Sendable {
    /// Where the package puts its files.
    package static let folder = "/usr/share/javascript/dygraphs"

    let program: [UInt8]
    let style: [UInt8]

    /// Larger files are none of it.
    private static let mostBytes = 4 << 20

    /// Reads the library from the first folder that has it; nil where none has.
    package init?(folders: [String] = [Self.folder]) {
        for folder in folders {
            guard let program = Self.read(folder + "/dygraph.min.js"),
                let style = Self.read(folder + "/dygraph.min.css")
            else { continue }
            (self.program, self.style) = (program, style)
            return
        }
        return nil
    }

    /// A file that may stand in an element as it is.
    private static func read(_ file: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: file), data.count <= mostBytes else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        // Within a string or an expression of the program `<\/` is the same.
        return Array(text.replacing("</script", with: "<\\/script").replacing("</style", with: "<\\/style").utf8)
    }
}
