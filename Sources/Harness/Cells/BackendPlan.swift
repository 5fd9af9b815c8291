/// What puts the link of a cell there, and why.
struct BackendPlan: Sendable, Hashable {
    var backend: LinkBackend
    /// Why that one, as results say it; nil where the scenario names its fidelity.
    var reason: String?
    /// Why it is not what would have been chosen first, as sentences; nil where it is.
    var shortfall: String?
    /// Why it cannot be had; nil where it can.
    var obstacle: HarnessError?
    /// What packets have to go on without here.
    var notes: [String] = []
}
