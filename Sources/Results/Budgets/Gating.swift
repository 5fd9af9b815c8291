/// Whether what a check comes to decides about its cell.
package enum Gating: Hashable, Sendable {
    /// It decides; the default.
    case blocking
    /// It is judged and shown, and decides nothing.
    case advisory
    /// As ``advisory``, for a time.
    case quarantined(Quarantine)
}

/// For how long, and why, something that is known not to hold decides nothing.
package struct Quarantine: Hashable, Sendable, Codable {
    /// The last day on which it holds, `2026-12-31`, in UTC.
    package var until: String
    package var reason: String

    package init(until: String, reason: String) {
        self.until = until
        self.reason = reason
    }

    /// Days of this form are ordered as texts are.
    package func isOver(on day: String) -> Bool { day > until }
}
