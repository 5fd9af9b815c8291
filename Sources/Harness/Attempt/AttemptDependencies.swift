import Evidence
import Links
import PackHost
import Results
import SystemPackage

/// What attempts are built from: how host and link come up, how the link is probed, how much noise is too much.
///
/// What a run finds is judged by what its cells ask for and by what was measured, never by what its dependencies say of themselves.
struct AttemptDependencies: Sendable {
    /// Runs a host for as long as the body runs.
    var withHost: @Sendable (HostConfiguration, (PackHost) async throws -> Void) async throws -> Void = {
        try await withPackHost($0, $1)
    }

    /// How links and their networks come up.
    var links = LinkDependencies()

    /// The program that joins a sandbox to this machine's networks; nil where there is none.
    var outsideProgram: @Sendable () -> FilePath? = { OutsideProgram.find() }

    /// Names that have addresses whatever a resolver says, where the far side is not Headwind's.
    var resolved: [ResolvedName] = []

    /// Measures a cell's link before its attempts.
    var calibrate: @Sendable (Calibration) async -> [LinkMeasurement] = { await $0.measurements() }

    /// The free bytes of a folder's file system; nil where it does not tell.
    var freeBytes: @Sendable (FilePath) -> Int64? = { ScratchRoom.freeBytes($0) }

    var noiseLimits = NoiseLimits()

    /// After how long without a sign of life an attempt counts as idle: another one may begin beside it.
    var idleTime = SignsOfLife.idleTime
}
