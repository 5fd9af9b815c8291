package import Results
package import Scenarios

/// How a command's output shows progress: a pattern whose first group is a percentage.
package struct ProgressPattern: @unchecked Sendable {
    // Unchecked: a compiled pattern is immutable and can be shared, but the standard library does not declare that.
    package let stream: Command.Progress.Stream
    /// The pattern as it was written.
    package let text: String
    private let pattern: Regex<AnyRegexOutput>

    /// Nil if the workload has no pattern.
    ///
    /// Throws if the pattern does not compile.
    package init?(_ workload: Workload) throws {
        guard let progress = workload.command?.progress else { return nil }
        stream = progress.stream
        text = progress.pattern
        pattern = try Regex(progress.pattern)
    }

    /// The number of bytes at the end of a line that are searched.
    ///
    /// The time that some patterns take grows at least with its square.
    package static let mostBytes = 1024

    /// All percentages at the end of a line, as fractions; a progress bar writes many into one line.
    ///
    /// In a long line the search begins at a whole word.
    package func fractions(in line: [UInt8]) -> [Double] {
        var end = line[...]
        if line.count > Self.mostBytes {
            end = line.suffix(Self.mostBytes).drop { $0 == UInt8(ascii: ".") || UInt8.asciiAlphanumerics.contains($0) }
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

/// The matches of a pattern in a client's lines.
package struct ProgressMatches: Sendable {
    package var samples: [ProgressSample] = []
    /// The last lines without a match.
    package var others = Complaints()
    /// The number of matches beyond the limit.
    package var unread = 0
    /// Why the matches are incomplete; nil if they are complete.
    package var trouble: String?

    package init() {}
}
