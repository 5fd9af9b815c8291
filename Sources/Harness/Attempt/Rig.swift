import LinkModel
import PackHost
import PacketLink
import ProxyLink
import Results
import SystemPackage
import Testbed

/// What attempts are built from: how host and link come up, how the link is probed, how much noise is too much.
///
/// What a run finds is judged by what its cells ask for and by what was measured, never by what a rig says of itself.
struct Rig: Sendable {
    /// Runs a host for as long as the body runs.
    var withHost: @Sendable (HostConfiguration, (PackHost) async throws -> Void) async throws -> Void = {
        try await withPackHost($0, $1)
    }

    /// Runs a link for as long as the body runs.
    var withLink: @Sendable (ProxyLinkConfiguration, (ProxyLink) async throws -> Void) async throws -> Void = {
        try await withProxyLink($0, $1)
    }

    /// Whether this machine can have cells.
    var probeCells: @Sendable () async throws -> CellCapability = { try await CellCapability.probe() }

    /// Runs the two networks of a cell for as long as the body runs.
    var withCell: @Sendable (CellConfiguration, (Cell) async throws -> Void) async throws -> Void = {
        try await Testbed.withCell($0, body: $1)
    }

    /// Runs a link between the two networks of a cell for as long as the body runs.
    var withCellLink:
        @Sendable (PacketLinkConfiguration, Cell, (PacketLink) async throws -> Void) async throws -> Void = {
            configuration, cell, body in try await cell.withLink(configuration, body)
        }

    /// Whether this machine's kernel can be a link.
    var probeKernel: @Sendable () async throws -> KernelCapability = { try await KernelCapability.probe() }

    /// Has the queues of a cell's router be a link for as long as the body runs.
    var withKernelLink: @Sendable (KernelSetup, Cell, (KernelSession) async throws -> Void) async throws -> Void = {
        setup, cell, body in try await cell.withKernelSession(setup, body)
    }

    /// Measures a cell's link before its attempts.
    var calibrate: @Sendable (Calibration) async -> [LinkMeasurement] = { await $0.measurements() }

    /// The free bytes of a folder's file system; nil where it does not tell.
    var freeBytes: @Sendable (FilePath) -> Int64? = { ScratchRoom.freeBytes($0) }

    var noiseLimits = NoiseLimits()
}
