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

    /// Tries packets; `kernel` is what the kernel can be.
    ///
    /// Throws `CancellationError` only.
    static func probe(_ kernel: KernelCapability) async throws -> Backends {
        Backends(rows: [Row(try await SandboxCapability.probe(), of: .packet), Row(kernel), .proxy])
    }
}

extension Backends.Row {
    fileprivate static let proxy = Backends.Row(
        backend: LinkBackend.proxy.rawValue, isAvailable: true, fidelity: LinkBackend.proxy.fidelity.rawValue, notes: []
    )

    /// The kernel's queues can be a link where they can be a rate.
    fileprivate init(_ kernel: KernelCapability) {
        self.init(kernel.sandbox, of: .kernel)
        guard isAvailable else { return }
        func lacks(_ kind: KernelPart.Kind) -> KernelPart? {
            kernel.parts?.first { $0.kind == kind && !$0.isAvailable }
        }
        if let rate = lacks(.tbf).map(KernelPartRow.init) {
            (isAvailable, reason, cause, remedy) = (false, "no-tbf", rate.cause, rate.remedy)
        } else if lacks(.netem) != nil {
            notes.append("This kernel has no netem: a link has rates, their queues and silence, and nothing else.")
        }
    }

    fileprivate init(_ capability: SandboxCapability, of backend: LinkBackend) {
        self.init(
            backend: backend.rawValue, isAvailable: false, fidelity: backend.fidelity.rawValue, notes: [])
        switch capability {
        case .available(let notes):
            isAvailable = true
            self.notes = notes.map(\.description) + [PingGroups.current.refusal()].compactMap { $0 }
        case .refused(let refusal):
            reason = refusal.kind.rawValue
            cause = "A sandbox could not \(refusal.attempted): \(refusal.cause). (The system says: \(refusal.error).)"
            remedy = "\(refusal.remedy)."
        case .failed(let error):
            reason = "failed"
            cause = "\(error)"
        }
    }
}
