package import Results
package import Scenarios

/// How a foreign client tells its progress: a pattern whose first group is a percentage.
package struct ProgressPattern: @unchecked Sendable {
    // Unchecked, because the standard library does not say that a compiled pattern, which is immutable, may be shared.
    package let stream: Command.Progress.Stream
    /// The pattern as it was written.
    package let text: String
    private let pattern: Regex<AnyRegexOutput>

    /// Nil where the workload names none.
    package init?(_ workload: Workload) throws {
        guard case .command(let command) = workload, let progress = command.progress else { return nil }
        stream = progress.stream
        text = progress.pattern
        pattern = try Regex(progress.pattern)
    }

    /// Bytes at the end of a line that are looked at.
    ///
    /// The time that some patterns take grows with the square of it, and worse.
    package static let mostBytes = 1024

    /// All percentages at the end of a line, as fractions: a bar that redraws itself writes many into one line.
    ///
    /// What is looked at of a long line begins with a whole word.
    package func fractions(in line: [UInt8]) -> [Double] {
        var end = line[...]
        if line.count > Self.mostBytes {
            end = line.suffix(Self.mostBytes).drop { $0 == UInt8(ascii: ".") || $0.isASCIIAlphanumeric }
        }
        return fractions(in: String(decoding: end, as: UTF8.self))
    }

    private func fractions(in text: String) -> [Double] {
        text.matches(of: pattern).compactMap { match in
            guard match.output.count > 1, let text = match.output[1].substring, let percent = Double(text) else {
                return nil
            }
            return percent / 100
        }
    }
}

/// What a pattern found in a client's lines.
package struct ProgressMatches: Sendable {
    package var samples: [ProgressSample] = []
    /// The last lines without any.
    package var others = Complaints()
    /// Progress beyond the most that is kept.
    package var unread = 0
    /// Why this is not all; nil where it is.
    package var trouble: String?

    package init() {}
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
