/// Rows of text with aligned columns, two blanks apart.
package enum TextTable {
    /// The rows as lines; each row has a text for each column.
    ///
    /// Columns in `numbers` (default: none) are aligned right, others left.
    package static func lines(_ rows: [[String]], numbers: Set<Int> = []) -> [String] {
        guard let columns = rows.first?.indices else { return [] }
        let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for column in columns {
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                if column > 0 { line += "  " }
                line += numbers.contains(column) ? blanks + row[column] : row[column] + blanks
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

extension String {
    /// The text, padded with spaces on the right to a width in characters.
    package func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}
