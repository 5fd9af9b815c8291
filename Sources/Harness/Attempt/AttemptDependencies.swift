import Evidence
import Links
import PackHost
import Results
import SystemPackage

/// What attempts need from outside: how host and link start, how the link is probed, and how much noise is too much.
///
/// A run is judged by what its cells expect and by measurements, never by what these dependencies report about
/// themselves.
struct AttemptDependencies: Sendable {
    /// Runs a host as long as the body runs.
    var withHost: @Sendable (HostConfiguration, (PackHost) async throws -> Void) async throws -> Void = {
        try await withPackHost($0, $1)
    }

    /// How links and their networks start.
    var links = LinkDependencies()

    /// The program that connects a sandbox to this machine's networks; nil if there is none.
    var outsideProgram: @Sendable () -> FilePath? = { OutsideProgram.find() }

    /// Measures a cell's link before its attempts.
    var calibrate: @Sendable (Calibration) async -> [LinkMeasurement] = { await $0.measurements() }

    /// The free bytes of a folder's file system; nil if it does not say.
    var freeBytes: @Sendable (FilePath) -> Int64? = { ScratchRoom.freeBytes($0) }

    var noiseLimits = NoiseLimits()

    /// The time without a sign of life after which an attempt counts as idle (default: 5 s), so that another can start.
    var idleTime = SignsOfLife.idleTime
}
