/// What puts a link there, and why.
package struct BackendPlan: Sendable, Hashable {
    package var backend: LinkBackend
    /// Why that one, as results say it; nil where the scenario names its fidelity.
    package var reason: String?
    /// Why it is not what would have been chosen first, as sentences; nil where it is.
    package var shortfall: String?
    /// Why it cannot be had; nil where it can.
    package var obstacle: LinkRefusal?
    /// What packets have to go on without here.
    package var notes: [String] = []
}
