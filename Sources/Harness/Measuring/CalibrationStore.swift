import LinkModel
import Results
import Scenarios

/// Probes each profile once in a run, and one at a time, so that no probe takes another's processor.
actor CalibrationStore {
    private var known: [Profile: Task<[LinkMeasurement], Never>] = [:]
    private var last: Task<[LinkMeasurement], Never>?

    /// How often a probe is repeated that a busy machine may have disturbed.
    private static let mostProbes = 3

    /// What the link of this cell's profile shows.
    func measurements(_ calibration: Calibration, by rig: Rig) async -> [LinkMeasurement] {
        let profile = calibration.cell.link.profile
        if let task = known[profile] { return await Self.value(of: task) }
        let previous = last
        let task = Task {
            _ = await previous?.value
            var best = await rig.calibrate(calibration)
            for _ in 1..<Self.mostProbes
            where !Task.isCancelled && best.contains(where: { $0.isWithinTolerance == false }) {
                best = await rig.calibrate(calibration)
            }
            return best
        }
        known[profile] = task
        last = task
        return await Self.value(of: task)
    }

    /// Waits for a probe, and ends it where the run is cancelled: cells are cancelled together.
    private static func value(of task: Task<[LinkMeasurement], Never>) async -> [LinkMeasurement] {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
