import Evidence
import LinkModel
import Results
import Witness

/// How much this machine delays a thread that only wakes up, measured over a short time.
struct MachineNoise: Sendable, Encodable {
    /// The length of the measurement.
    var seconds: Double
    var wakeUps: Int
    /// The lateness that 99 of 100 wake-ups did not exceed; absent if no thread was available.
    var usualLatenessSeconds: Double?
    /// The lateness of the latest wake-up; absent likewise.
    var latestWakeSeconds: Double?
    /// The share of the time in which a process waited for a processor; absent if the kernel does not count it.
    var pressureRatio: Double?
    /// The share of the processors' time that a hypervisor took; absent likewise.
    var stealRatio: Double?
    /// Whether an attempt with this noise would not count.
    var exceedsLimits: Bool

    private enum CodingKeys: String, SnakeCaseKey {
        case seconds, wakeUps
        case usualLatenessSeconds = "p99_wake_seconds"
        case latestWakeSeconds, pressureRatio, stealRatio, exceedsLimits
    }

    /// Measures for `time`.
    ///
    /// Throws only `CancellationError`.
    static func watch(for time: Duration) async throws -> MachineNoise {
        let noise = try await Witness.observe { try await Task.sleep(for: time) }.noise
        return MachineNoise(noise, over: time)
    }
}

extension MachineNoise {
    init(_ noise: Noise, over time: Duration) {
        seconds = time.seconds
        wakeUps = noise.wakeUps
        usualLatenessSeconds = noise.p99Lateness?.seconds
        latestWakeSeconds = noise.largestLateness?.seconds
        pressureRatio = noise.pressure
        stealRatio = noise.steal
        exceedsLimits = NoiseLimits().excess(of: noise) != nil
    }
}
