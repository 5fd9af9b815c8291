/// How busy the machine was during one attempt.
///
/// Noise decides whether an attempt counts, never about the client.
package struct NoiseRecord: Hashable, Sendable, Codable {
    /// How late a thread that does nothing but wake up on time was at worst; nil where none ran.
    package var latestWakeSeconds: Double?
    /// The share of the time in which some task waited for a processor (/proc/pressure/cpu); nil where unknown.
    package var pressureRatio: Double?
    /// How long threads of host and link could run and waited for a processor, in all, over the attempt's time; nil where
    /// unknown.
    package var ownWaitRatio: Double?
    /// How long a thread of the client could run and waited for a processor at a time, the least that it was; nil where
    /// unknown.
    package var clientWaitSeconds: Double?
    /// The share of processor time that the hypervisor took (steal in /proc/stat); nil where unknown.
    package var stealRatio: Double?

    package init(
        latestWakeSeconds: Double? = nil, pressureRatio: Double? = nil, ownWaitRatio: Double? = nil,
        clientWaitSeconds: Double? = nil, stealRatio: Double? = nil
    ) {
        self.latestWakeSeconds = latestWakeSeconds
        self.pressureRatio = pressureRatio
        self.ownWaitRatio = ownWaitRatio
        self.clientWaitSeconds = clientWaitSeconds
        self.stealRatio = stealRatio
    }

    private enum CodingKeys: String, CodingKey {
        case latestWakeSeconds = "latest_wake_seconds"
        case pressureRatio = "pressure_ratio"
        case ownWaitRatio = "own_wait_ratio"
        case clientWaitSeconds = "client_wait_seconds"
        case stealRatio = "steal_ratio"
    }
}
