/// How busy the machine was during one attempt.
///
/// Noise decides whether an attempt counts, but never decides about the client.
package struct NoiseRecord: Hashable, Sendable, Codable {
    /// The longest delay of a thread that only wakes up on time; nil if none ran.
    package var latestWakeSeconds: Double?
    /// The share of the time in which some task waited for a processor (/proc/pressure/cpu); nil if unknown.
    package var pressureRatio: Double?
    /// How long the threads of host and link were ready to run but waited for a processor, over the attempt's time; nil
    /// if unknown.
    package var ownWaitRatio: Double?
    /// How long a thread of the client was ready to run but waited for a processor at a time, at least; nil if unknown.
    package var clientWaitSeconds: Double?
    /// The share of processor time that the hypervisor took (steal in /proc/stat); nil if unknown.
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

    private enum CodingKeys: String, SnakeCaseKey {
        case latestWakeSeconds, pressureRatio, ownWaitRatio, clientWaitSeconds, stealRatio
    }
}
