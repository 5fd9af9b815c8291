/// Text on one row of a terminal.
enum TerminalLine {
    /// `text` cut to fewer than `columns` columns; `…` marks the cut.
    ///
    /// The last column stays free. If it were filled, the terminal would wrap to the next row, and redrawing the line
    /// would leave the row above behind.
    static func cut(_ text: String, columns: Int) -> String {
        let room = max(1, columns - 1)
        guard text.map(width).reduce(0, +) > room else { return text }
        var line = ""
        var used = 1
        for character in text {
            used += width(character)
            guard used <= room else { break }
            line.append(character)
        }
        return line + "…"
    }

    /// The columns of a character: two for East Asian ones and pictures (Unicode Standard Annex 11).
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
