import Testbed

/// The backends, and whether this machine can use each.
package enum Backends {
    /// One backend, and whether it can be used here.
    package struct Row: Sendable, Encodable {
        package var backend: String
        package var isAvailable: Bool
        /// What its links shape: `packet` or `modelled`.
        package var fidelity: String
        /// A short name of the reason why it cannot be used; absent if it can.
        package var reason: String?
        /// Why it cannot be used, as a sentence; absent if it can.
        package var cause: String?
        /// The remedy, as a sentence; absent if there is none.
        package var remedy: String?
        /// The features that it lacks here.
        package var notes: [String]

        private enum CodingKeys: String, CodingKey {
            case backend, fidelity, reason, cause, remedy, notes
            case isAvailable = "available"
        }
    }

    /// A row for each backend.
    package static func rows(on machine: LinkMachine) -> [Row] {
        LinkBackend.allCases.map { Row($0.rawValue, of: $0.provider, on: machine) }
    }
}

extension Backends.Row {
    /// The row of a backend on a machine.
    package init(_ name: String, of provider: some LinkProvider, on machine: LinkMachine) {
        self.init(
            backend: name, isAvailable: provider.sandbox == nil, fidelity: provider.fidelity.rawValue, notes: [])
        switch machine.networks(for: provider) {
        case .available(let notes)?:
            isAvailable = true
            self.notes = notes.map(\.description) + [PingGroups.current.refusal()].compactMap { $0 }
        case .refused(let refusal)?:
            reason = refusal.kind.rawValue
            cause = "A sandbox could not \(refusal.attempted): \(refusal.cause). (The system says: \(refusal.error).)"
            remedy = "\(refusal.remedy)."
        case .failed(let error)?:
            reason = "failed"
            cause = "\(error)"
        case nil: break
        }
        provider.complete(&self, on: machine)
    }
}
