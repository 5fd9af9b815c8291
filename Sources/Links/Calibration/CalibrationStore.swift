import LinkModel
package import Results

/// Probes each profile once in a run, and one at a time, so that probes do not compete for processors.
///
/// A profile that was out of tolerance is measured again for the next cell: the disturbance may be over.
package actor CalibrationStore {
    package typealias Measure = @Sendable (Calibration) async -> [LinkMeasurement]

    private struct Key: Hashable {
        let profile: Profile
        let backend: LinkBackend
    }

    private var known: [Key: Task<[LinkMeasurement], Never>] = [:]
    private var last: Task<[LinkMeasurement], Never>?

    package init() {}

    /// The measurements of a link with this profile.
    ///
    /// All cells of a run end together: if a waiting cell is cancelled, its probe is cancelled too.
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
