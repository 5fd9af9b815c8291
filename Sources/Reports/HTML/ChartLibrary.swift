import FoundationEssentials

/// The chart library dygraphs (https://dygraphs.com), as in Debian's package libjs-dygraphs.
package struct ChartLibrary: Sendable {
    /// The folder of the package's files.
    package static let folder = "/usr/share/javascript/dygraphs"

    let program: [UInt8]
    let style: [UInt8]

    /// The most bytes of a file; the library has no larger one.
    private static let mostBytes = 4 << 20

    /// Reads the library from the first folder that has it; nil if none has.
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

    /// A file, escaped so that it can be embedded in an HTML element.
    private static func read(_ file: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: file), data.count <= mostBytes else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        // In a string or a regular expression of the program, `<\/` means the same.
        return Array(text.replacing("</script", with: "<\\/script").replacing("</style", with: "<\\/style").utf8)
    }
}
