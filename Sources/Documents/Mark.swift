/// A place in a text: line and column, both counted from 1, columns in Unicode scalars.
package struct Mark: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first place of a text.
    package static let start = Mark(line: 1, column: 1)

    package var description: String { "\(line):\(column)" }

    package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}
