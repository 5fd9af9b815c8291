extension Redaction {
    /// The most bytes of a line of a program's output that are kept, as UTF-8.
    package static let mostLineBytes = 500

    /// A line that a program wrote, as it may be kept: one line, without secrets and without what a terminal would obey.
    ///
    /// What is too long is cut at its end, for a secret is known by the name before it.
    package static func outputLine(_ bytes: some Sequence<UInt8>) -> String {
        let line = text(String(decoding: Array(bytes), as: UTF8.self).singleLine)
        return line.utf8.count > mostLineBytes ? line.beginning(mostLineBytes) + "…" : line
    }
}

extension String {
    /// As much of its beginning as there is in so many bytes of UTF-8, no character cut.
    func beginning(_ bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, bytes))
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
