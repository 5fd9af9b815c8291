import Witness

/// Above one of these an attempt says more about the machine than about the client.
struct NoiseLimits: Sendable {
    /// How late a thread of Headwind woke up, or how long one of the client's waited for a processor.
    var lateness = Duration.milliseconds(250)
    /// Lateness of the one wake-up in a hundred that is later than the others.
    ///
    /// Pressure is no limit: a processor may be shared and still be there in time.
    var usualLateness = Duration.milliseconds(30)
    /// The share of processor time that a hypervisor took.
    var steal = 0.1

    /// The same for what takes seconds, and not milliseconds.
    var forHangs: NoiseLimits {
        NoiseLimits(
            lateness: max(lateness, .seconds(2)), usualLateness: max(usualLateness, .milliseconds(250)),
            steal: max(steal, 0.5))
    }

    /// Whether the machine was so busy that the attempt must not decide.
    func areExceeded(by noise: Noise) -> Bool {
        (noise.largestLateness ?? .zero) > lateness || (noise.clientWait ?? .zero) > lateness
            || (noise.p99Lateness ?? .zero) > usualLateness
            || (noise.steal ?? 0) > steal
    }
}
