import KernelLink
import LinkModel
import PackHost
import PacketLink
import ProxyLink
import Results
import SystemPackage
import Testbed

/// What attempts are built from: how host and link come up, how the link is probed, how much noise is too much.
///
/// What a run finds is judged by what its cells ask for and by what was measured, never by what its dependencies say of themselves.
struct AttemptDependencies: Sendable {
    /// Runs a host for as long as the body runs.
    var withHost: @Sendable (HostConfiguration, (PackHost) async throws -> Void) async throws -> Void = {
        try await withPackHost($0, $1)
    }

    /// Runs a link for as long as the body runs.
    var withLink: @Sendable (ProxyLinkConfiguration, (ProxyLink) async throws -> Void) async throws -> Void = {
        try await withProxyLink($0, $1)
    }

    /// Whether this machine can have sandboxes.
    var probeSandboxes: @Sendable () async throws -> SandboxCapability = { try await SandboxCapability.probe() }

    /// Runs the two networks of a sandbox for as long as the body runs.
    var withSandbox: @Sendable (SandboxConfiguration, (Sandbox) async throws -> Void) async throws -> Void = {
        try await Testbed.withSandbox($0, body: $1)
    }

    /// Runs a link between the two networks of a sandbox for as long as the body runs.
    var withSandboxLink:
        @Sendable (PacketLinkConfiguration, Sandbox, (PacketLink) async throws -> Void) async throws -> Void = {
            configuration, sandbox, body in try await sandbox.withLink(configuration, body)
        }

    /// Whether this machine's kernel can be a link.
    var probeKernel: @Sendable () async throws -> KernelCapability = { try await KernelCapability.probe() }

    /// Has the queues of a sandbox's router be a link for as long as the body runs.
    var withKernelLink: @Sendable (LinkSetup, Sandbox, (KernelSession) async throws -> Void) async throws -> Void = {
        setup, sandbox, body in try await sandbox.withKernelSession(setup, body)
    }

    /// Measures a cell's link before its attempts.
    var calibrate: @Sendable (Calibration) async -> [LinkMeasurement] = { await $0.measurements() }

    /// The free bytes of a folder's file system; nil where it does not tell.
    var freeBytes: @Sendable (FilePath) -> Int64? = { ScratchRoom.freeBytes($0) }

    var noiseLimits = NoiseLimits()
}
