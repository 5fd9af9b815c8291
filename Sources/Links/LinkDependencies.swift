package import LinkModel
package import Testbed

/// How links and their networks are made, and how the machine is probed for them; tests replace these.
package struct LinkDependencies: Sendable {
    /// Keeps the two networks of a sandbox up while the body runs.
    package var withSandbox: @Sendable (SandboxConfiguration, (Sandbox) async throws -> Void) async throws -> Void = {
        try await Testbed.withSandbox($0, body: $1)
    }

    /// Keeps a link up while the body runs.
    package var withLink:
        @Sendable (
            LinkBackend, LinkSetup, LinkPlace, (any ConditionedLink, LinkEntrance) async throws -> Void
        ) async throws -> Void = { backend, setup, place, body in
            try await backend.provider.withLink(setup, at: place, body)
        }

    /// Probes whether this machine can make sandboxes.
    package var probeSandboxes: @Sendable () async throws -> SandboxCapability = {
        try await SandboxCapability.probe()
    }

    /// Probes whether this machine's kernel can provide a link.
    package var probeKernel: @Sendable () async throws -> KernelCapability = { try await KernelCapability.probe() }

    package init() {}
}
