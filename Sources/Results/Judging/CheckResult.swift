/// One budget or expectation of a cell, judged.
package struct CheckResult: Hashable, Sendable, Codable {
    /// What was checked.
    package enum Kind: String, CaseIterable, Codable, Sendable { case expectation, budget }

    package var kind: Kind
    /// A name that is the same in every run, unlike the limit: `time_to_available.median`, `available`.
    package var name: String
    /// What was asked for, as a scenario writes it: `median <= 1.2 x ideal + 12 s`.
    package var asked: String
    package var verdict: Verdict
    /// The result in one line for people, without a full stop.
    package var sentence: String
    /// The numbers; nil for an expectation.
    package var evidence: Evidence?
    /// The numbers of the attempts that broke it by themselves.
    package var brokenIn: [Int] = []
    /// Why its verdict decides nothing; nil if it decides.
    package var gating: Leniency?
    /// Its quarantine, even if that is over; nil if it has none.
    package var quarantine: Quarantine?

    /// Why a check does not decide about its cell.
    package enum Leniency: String, CaseIterable, Codable, Sendable { case advisory, quarantined }

    /// Whether its verdict affects the cell's verdict.
    package var decides: Bool { gating == nil }

    private enum CodingKeys: String, CodingKey {
        case kind, name, asked, verdict, sentence, evidence, gating, quarantine
        case brokenIn = "broken_in_attempts"
    }
}
