/// What a limit may be a multiple of.
package enum Basis: String, CaseIterable, Codable, Sendable {
    /// A perfect transfer of the same bytes over the same link, as the link's model has it: without loss or faults.
    case ideal
    /// A plain curl, measured in the same cell, interleaved with the attempts.
    case reference
    /// An earlier result of the same cell.
    case baseline
}
