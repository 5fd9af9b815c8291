import Evidence
import LinkModel
import Witness

/// How much this machine disturbed a thread that only wakes up, over a short time.
package struct MachineNoise: Sendable, Encodable {
    /// For how long it was watched.
    package var seconds: Double
    package var wakeUps: Int
    /// 99 of 100 wake-ups were at most so late; absent where no thread was available.
    package var usualLatenessSeconds: Double?
    /// How late the latest was.
    package var latestWakeSeconds: Double?
    /// The share of the time in which something waited for a processor; absent where the kernel does not count it.
    package var pressureRatio: Double?
    /// The share of the processors' time that a hypervisor took; absent likewise.
    package var stealRatio: Double?
    /// Whether an attempt as disturbed as this would not count.
    package var exceedsLimits: Bool

    private enum CodingKeys: String, CodingKey {
        case seconds
        case wakeUps = "wake_ups"
        case usualLatenessSeconds = "p99_wake_seconds"
        case latestWakeSeconds = "latest_wake_seconds"
        case pressureRatio = "pressure_ratio"
        case stealRatio = "steal_ratio"
        case exceedsLimits = "exceeds_limits"
    }

    /// Watches for `time`.
    ///
    /// Throws `CancellationError` only.
    package static func watch(for time: Duration) async throws -> MachineNoise {
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
