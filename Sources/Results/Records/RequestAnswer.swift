import Wording

/// The answer to an app that asked, without the network, whether everything that a request needs is stored.
package struct RequestAnswer: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The request's identifier.
    package var id: String
    package var isHere: Bool
    /// How many requests for its packs or for lists reached the host for no other reason than this question.
    package var fetches: Int

    package init(id: String, isHere: Bool, fetches: Int = 0) {
        (self.id, self.isHere, self.fetches) = (id, isHere, fetches)
    }

    private enum CodingKeys: String, SnakeCaseKey { case id, fetches, isHere }

    /// What happened, as part of a sentence.
    package var description: String {
        "'\(id)' was answered '\(isHere ? "here" : "not-here")'"
            + (fetches == 0 ? "" : ", and \(fetches.counted("request")) crossed the link for it")
    }
}
