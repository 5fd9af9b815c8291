import Testbed

/// What this machine can put a link there with.
package struct Backends: Sendable {
    /// One backend, and whether it can be used here.
    package struct Row: Sendable, Encodable {
        package var backend: String
        package var isAvailable: Bool
        /// What its links are like: `packet` or `modelled`.
        package var fidelity: String
        /// A name for why it cannot be used; absent where it can.
        package var reason: String?
        /// Why it cannot be used, as a sentence.
        package var cause: String?
        /// What to do about it, as a sentence.
        package var remedy: String?
        /// What it has to go on without.
        package var notes: [String]

        private enum CodingKeys: String, CodingKey {
            case backend, fidelity, reason, cause, remedy, notes
            case isAvailable = "available"
        }
    }

    package var rows: [Row]

    /// Whether links can be put there with it here.
    package func isAvailable(_ backend: LinkBackend) -> Bool {
        rows.contains { $0.backend == backend.rawValue && $0.isAvailable }
    }

    /// Tries each of them; a cell is made and ended for it.
    ///
    /// Throws `CancellationError` only.
    package static func probe() async throws -> Backends {
        Backends(rows: [Row(try await CellCapability.probe()), .proxy])
    }
}

extension Backends.Row {
    fileprivate static let proxy = Backends.Row(
        backend: LinkBackend.proxy.rawValue, isAvailable: true, fidelity: LinkBackend.proxy.fidelity.rawValue, notes: []
    )

    fileprivate init(_ capability: CellCapability) {
        self.init(
            backend: LinkBackend.packet.rawValue, isAvailable: false, fidelity: LinkBackend.packet.fidelity.rawValue,
            notes: [])
        switch capability {
        case .available(let notes):
            isAvailable = true
            self.notes = notes.map(\.description) + [PingGroups.current.refusal()].compactMap { $0 }
        case .refused(let refusal):
            reason = refusal.kind.rawValue
            cause = "A cell could not \(refusal.attempted): \(refusal.cause). (The system says: \(refusal.error).)"
            remedy = "\(refusal.remedy)."
        case .failed(let error):
            reason = "failed"
            cause = "\(error)"
        }
    }
}
