extension Redaction {
    /// The most bytes of a line of a program's output that are kept, as UTF-8.
    package static let mostLineBytes = 500

    /// A line that a program wrote, as it may be kept: one line, without secrets and without what a terminal would obey.
    ///
    /// What is too long is cut at its end, for a secret is known by the name before it.
    package static func outputLine(_ bytes: some Sequence<UInt8>) -> String {
        let line = text(String(decoding: Array(bytes), as: UTF8.self).singleLine)
        guard line.utf8.count > mostLineBytes else { return line }
        var end = line.utf8.index(line.startIndex, offsetBy: mostLineBytes)
        while end.samePosition(in: line.unicodeScalars) == nil { end = line.utf8.index(before: end) }
        return line[..<end] + "…"
    }
}
