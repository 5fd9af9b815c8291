import CQRCode

/// A QR code of a text (ISO/IEC 18004), with error correction of level M.
package struct QRCode: Sendable, Hashable {
    /// The number of modules on a side, without the quiet zone.
    package let size: Int
    /// Row by row: whether a module is dark.
    private let modules: [Bool]

    /// The largest version used: it holds 213 bytes, more than an address needs.
    private static let mostVersion = 10
    /// `qrcodegen_BUFFER_LEN_FOR_VERSION`, which Swift cannot import.
    private static let bufferBytes = ((mostVersion * 4 + 17) * (mostVersion * 4 + 17) + 7) / 8 + 1

    /// Nil if the text has more than 213 bytes: a larger code is hard to scan with a camera.
    package init?(_ text: String) {
        var scratch = [UInt8](repeating: 0, count: Self.bufferBytes)
        var code = scratch
        let isMade = unsafe qrcodegen_encodeText(
            text, &scratch, &code, qrcodegen_Ecc_MEDIUM, 1, CInt(Self.mostVersion), qrcodegen_Mask_AUTO, true)
        guard isMade else { return nil }
        let size = unsafe Int(qrcodegen_getSize(code))
        self.size = size
        modules = (0..<size * size).map { place in
            unsafe qrcodegen_getModule(code, CInt(place % size), CInt(place / size))
        }
    }

    /// Whether the module in a column and a row, both from 0, is dark.
    package func isDark(_ column: Int, _ row: Int) -> Bool { modules[row * size + column] }

    /// The code as an SVG element, with its quiet zone of four modules; `title` is its accessible name, without markup.
    package func svg(title: String) -> String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while column < size, isDark(column, row) { column += 1 }
                if column > start { path += "M\(start),\(row)h\(column - start)v1h-\(column - start)z" }
                column += 1
            }
        }
        let side = size + 8
        return """
            <svg class="qr" viewBox="-4 -4 \(side) \(side)" role="img" shape-rendering="crispEdges"><title>\(title)</title>\
            <rect x="-4" y="-4" width="\(side)" height="\(side)" fill="#fff"/><path d="\(path)" fill="#000"/></svg>
            """
    }
}
