/// The verdict of a check, a cell or a run.
package enum Verdict: String, CaseIterable, Codable, Sendable {
    /// Everything was evaluated on real samples, and held.
    case pass
    /// Nothing is known about the client, because the measurement did not work.
    case infrastructure
    /// Everything was measured, but it is too little to decide.
    case inconclusive
    /// The client broke a budget or did not do what was expected.
    case fail

    /// The exit code that the verdict gives by itself.
    package var exitCode: Int32 {
        switch self {
        case .pass: 0
        case .infrastructure: 75
        case .inconclusive: 98
        case .fail: 99
        }
    }

    /// The verdict of several: the one with the largest exit code.
    ///
    /// If there are none, it is ``infrastructure``, never a pass. If one cell is infrastructure and another a failure,
    /// the result is a failure, because that was measured on a link that was active.
    package static func combining(_ verdicts: some Sequence<Verdict>) -> Verdict {
        verdicts.max { $0.exitCode < $1.exitCode } ?? .infrastructure
    }
}
