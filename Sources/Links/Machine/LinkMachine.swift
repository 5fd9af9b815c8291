package import LinkModel
package import Testbed

/// What this machine has for links, as far as somebody has asked.
package struct LinkMachine: Sendable {
    /// Whether it can have packets moved between two networks; nil if it was not asked for.
    package var sandboxes: SandboxCapability?
    /// What its kernel can be; nil if it was not asked for.
    package var kernel: KernelCapability?

    package init(sandboxes: SandboxCapability? = nil, kernel: KernelCapability? = nil) {
        (self.sandboxes, self.kernel) = (sandboxes, kernel)
    }

    /// Tries everything, in sandboxes with which everything goes.
    ///
    /// Throws `CancellationError` only.
    package static func probe() async throws -> LinkMachine {
        let kernel = try await KernelCapability.probe()
        return LinkMachine(sandboxes: try await SandboxCapability.probe(), kernel: kernel)
    }

    /// Whether it has the networks that a backend needs; nil where that needs none, or it was not asked for.
    package func networks(for provider: some LinkProvider) -> SandboxCapability? {
        switch provider.sandbox {
        case .packets?: sandboxes
        case .router?: kernel?.sandbox
        case nil: nil
        }
    }

    /// Why a backend cannot be this link here, as sentences; nil where it can.
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

    /// What links of a backend have to go on without here.
    func notes(for provider: some LinkProvider) -> [String] {
        if case .available(let notes)? = networks(for: provider) { notes.map(\.description) } else { [] }
    }
}
