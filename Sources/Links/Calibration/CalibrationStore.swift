import LinkModel
package import Results

/// Probes each profile once in a run, and one at a time, so that no probe takes another's processor.
///
/// What was out of tolerance is measured anew for the next cell: what disturbed the probe may be gone.
package actor CalibrationStore {
    package typealias Measure = @Sendable (Calibration) async -> [LinkMeasurement]

    private struct Key: Hashable {
        let profile: Profile
        let backend: LinkBackend
    }

    private var known: [Key: Task<[LinkMeasurement], Never>] = [:]
    private var last: Task<[LinkMeasurement], Never>?

    package init() {}

    /// What a link of this profile shows.
    ///
    /// All cells of a run end together: where one is cancelled, so is the probe that it waits for.
    package func measurements(_ calibration: Calibration, by measure: @escaping Measure) async -> [LinkMeasurement] {
        let task = task(calibration, by: measure)
        let rows = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if rows.contains(where: { $0.isWithinTolerance == false }) {
            let key = key(of: calibration)
            if known[key] == task { known[key] = nil }
        }
        return rows
    }

    private func key(of calibration: Calibration) -> Key {
        Key(profile: calibration.profile, backend: calibration.backend)
    }

    private func task(
        _ calibration: Calibration, by measure: @escaping Measure
    ) -> Task<[LinkMeasurement], Never> {
        let key = key(of: calibration)
        if let task = known[key] { return task }
        let previous = last
        let task = Task {
            _ = await previous?.value
            return await measure(calibration)
        }
        known[key] = task
        last = task
        return task
    }
}
