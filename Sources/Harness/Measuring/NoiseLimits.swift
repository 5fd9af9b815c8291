import LinkModel
import Results
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

    /// How the machine was so busy that the attempt must not decide; nil where it was not.
    func excess(of noise: Noise) -> String? {
        if let late = noise.largestLateness, late > lateness {
            return "a thread woke up \(late.rounded) late"
        }
        if let late = noise.p99Lateness, late > usualLateness {
            return "one wake-up in a hundred was \(late.rounded) late"
        }
        if let wait = noise.clientWait, wait > lateness {
            return "the client waited for a processor, at least \(wait.rounded) at a time"
        }
        if let share = noise.steal, share > steal {
            return "a hypervisor took \(Quantity(share, .ratio).rounded()) of the processors"
        }
        return nil
    }
}

extension Duration {
    fileprivate var rounded: String { Quantity(seconds, .seconds).rounded() }
}
