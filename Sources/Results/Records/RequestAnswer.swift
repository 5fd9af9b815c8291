/// What the app was told when it asked, without the network, whether all that a request needs is there.
package struct RequestAnswer: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The request's identifier.
    package var id: String
    package var isHere: Bool
    /// How many requests for its packs, or for lists, reached the host, and nothing but the question was a reason for.
    package var fetches: Int

    package init(id: String, isHere: Bool, fetches: Int = 0) {
        (self.id, self.isHere, self.fetches) = (id, isHere, fetches)
    }

    private enum CodingKeys: String, CodingKey {
        case id, fetches
        case isHere = "is_here"
    }

    /// What happened, as part of a sentence.
    package var description: String {
        let requests = "\(fetches) request\(fetches == 1 ? "" : "s")"
        return "'\(id)' was answered '\(isHere ? "here" : "not-here")'"
            + (fetches == 0 ? "" : ", and \(requests) crossed the link for it")
    }
}
