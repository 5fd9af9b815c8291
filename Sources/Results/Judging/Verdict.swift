/// The verdict of a check, a cell or a run.
package enum Verdict: String, CaseIterable, Codable, Sendable {
    /// Everything was evaluated on real samples, and held.
    case pass
    /// Nothing can be said about the client: what measures it did not work.
    case infrastructure
    /// Everything was measured, and it is too little to decide.
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
    /// Of none it is ``infrastructure``, never a pass.
    ///
    /// Infrastructure in one cell and a failure in another is a failure: it was measured on a link that was in force.
    package static func combining(_ verdicts: some Sequence<Verdict>) -> Verdict {
        verdicts.max { $0.exitCode < $1.exitCode } ?? .infrastructure
    }
}
