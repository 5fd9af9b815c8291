package import LinkModel
package import Testbed

/// How links and their networks come up, and how a machine is asked for them.
package struct LinkDependencies: Sendable {
    /// Runs the two networks of a sandbox for as long as the body runs.
    package var withSandbox: @Sendable (SandboxConfiguration, (Sandbox) async throws -> Void) async throws -> Void = {
        try await Testbed.withSandbox($0, body: $1)
    }

    /// Runs a link for as long as the body runs.
    package var withLink:
        @Sendable (
            LinkBackend, LinkSetup, LinkPlace, (any ConditionedLink, LinkEntrance) async throws -> Void
        ) async throws -> Void = { backend, setup, place, body in
            try await backend.provider.withLink(setup, at: place, body)
        }

    /// Whether this machine can have sandboxes.
    package var probeSandboxes: @Sendable () async throws -> SandboxCapability = {
        try await SandboxCapability.probe()
    }

    /// Whether this machine's kernel can be a link.
    package var probeKernel: @Sendable () async throws -> KernelCapability = { try await KernelCapability.probe() }

    package init() {}
}
