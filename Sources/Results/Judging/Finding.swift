/// Something that happened: its attribution in the table, and the particulars.
package struct Finding: Hashable, Sendable, Codable {
    package var attribution: Attribution
    /// Names and numbers, or the words of a program; a full stop at its end is not shown twice.
    package var detail: String
    /// The attempt in which it happened; nil for the cell or the run as a whole.
    package var attempt: Int?

    package init(_ attribution: Attribution, _ detail: String, attempt: Int? = nil) {
        self.attribution = attribution
        self.detail = detail
        self.attempt = attempt
    }

    private enum CodingKeys: String, CodingKey {
        case detail, attempt
        case attribution = "finding"
    }
}

extension Finding: CustomStringConvertible {
    /// The sentence, the attempt and the particulars in one line.
    package var description: String {
        let place = attempt.map { " (attempt \($0))" } ?? ""
        return attribution.row.sentence.dropLast() + place
            + (detail.isEmpty ? "." : ": " + detail + (detail.hasSuffix(".") ? "" : "."))
    }
}

extension String {
    /// The text without a full stop at its end, to continue the sentence; an ellipsis stays.
    package var withoutFullStop: String {
        hasSuffix(".") && !hasSuffix("..") ? String(dropLast()) : self
    }
}
