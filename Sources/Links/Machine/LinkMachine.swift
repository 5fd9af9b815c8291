package import LinkModel
package import Testbed

/// What this machine offers for links, as far as it was probed.
package struct LinkMachine: Sendable {
    /// Whether it can make the networks of the packet backend; nil if not probed.
    package var sandboxes: SandboxCapability?
    /// What its kernel offers; nil if not probed.
    package var kernel: KernelCapability?

    package init(sandboxes: SandboxCapability? = nil, kernel: KernelCapability? = nil) {
        (self.sandboxes, self.kernel) = (sandboxes, kernel)
    }

    /// Probes everything, in temporary sandboxes.
    ///
    /// Throws `CancellationError` only.
    package static func probe() async throws -> LinkMachine {
        let kernel = try await KernelCapability.probe()
        return LinkMachine(sandboxes: try await SandboxCapability.probe(), kernel: kernel)
    }

    /// Whether it has the networks that a backend needs; nil if the backend needs none, or they were not probed.
    package func networks(for provider: some LinkProvider) -> SandboxCapability? {
        switch provider.sandbox {
        case .packets?: sandboxes
        case .router?: kernel?.sandbox
        case nil: nil
        }
    }

    /// Why a backend cannot provide this link here, as sentences; nil if it can.
    package func refusal(of setup: LinkSetup, by provider: some LinkProvider) -> String? {
        switch networks(for: provider) {
        case .refused(let refusal)?: return refusal.description
        case .failed(let error)?: return error.description
        case .available?, nil: break
        }
        let needs = provider.parts(for: setup)
        let lacking = (kernel?.parts ?? []).filter { needs.contains($0.kind) && !$0.isAvailable }
        return lacking.isEmpty ? nil : lacking.map { KernelPartRow($0).sentences }.joined(separator: " ")
    }

    /// The features that links of a backend lack here.
    func notes(for provider: some LinkProvider) -> [String] {
        if case .available(let notes)? = networks(for: provider) { notes.map(\.description) } else { [] }
    }
}
