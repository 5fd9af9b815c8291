import LinkModel
import Results
package import Witness

/// Above one of these an attempt says more about the machine than about the client.
package struct NoiseLimits: Sendable {
    /// How late a thread of Headwind woke up, or how long one of the client's waited for a processor.
    package var lateness: Duration
    /// Lateness of the one wake-up in a hundred that is later than the others.
    ///
    /// Pressure is no limit: a processor may be shared and still be there in time.
    package var usualLateness: Duration
    /// The share of processor time that a hypervisor took.
    package var steal: Double

    package init(
        lateness: Duration = .milliseconds(250), usualLateness: Duration = .milliseconds(30), steal: Double = 0.1
    ) {
        (self.lateness, self.usualLateness, self.steal) = (lateness, usualLateness, steal)
    }

    /// The same for what takes seconds, and not milliseconds.
    var forHangs: NoiseLimits {
        NoiseLimits(
            lateness: max(lateness, .seconds(2)), usualLateness: max(usualLateness, .milliseconds(250)),
            steal: max(steal, 0.5))
    }

    /// How the machine was so busy that the attempt must not decide; nil where it was not.
    package func excess(of noise: Noise) -> String? {
        if let late = noise.largestLateness, late > lateness {
            return "a thread woke up \(late.rounded) late"
        }
        if let late = noise.p99Lateness, late > usualLateness {
            return "one wake-up in a hundred was \(late.rounded) late"
        }
        if let wait = noise.clientWait, wait > lateness {
            return "the client waited for a processor for at least \(wait.rounded) at a time"
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

extension Noise {
    var record: NoiseRecord {
        NoiseRecord(
            latestWakeSeconds: largestLateness?.seconds, pressureRatio: pressure, ownWaitRatio: ownWait,
            clientWaitSeconds: clientWait?.seconds, stealRatio: steal)
    }

    /// What is wrong with the clocks; nil where they agree.
    var clockTrouble: String? {
        if suspended >= Self.smallestStep { return "the machine slept for \(suspended.text)" }
        return isClockStepped ? "the clock jumped by \(clockStep.text) meanwhile" : nil
    }
}
