import Witness

/// Above one of these an attempt says more about the machine than about the client.
struct NoiseLimits: Sendable {
    var lateness = Duration.milliseconds(100)
    /// The share of the time in which something waited for a processor.
    var pressure = 0.6
    /// The share of processor time that a hypervisor took.
    var steal = 0.1

    /// Whether the machine was so busy that the attempt must not decide.
    func areExceeded(by noise: Noise) -> Bool {
        (noise.largestLateness ?? .zero) > lateness || (noise.pressure ?? 0) > pressure || (noise.steal ?? 0) > steal
    }
}
