import LinkModel
import Results
package import Witness

/// Limits of noise: above one of them, an attempt does not count.
package struct NoiseLimits: Sendable {
    /// The latest wake-up of a thread of Headwind, or longest wait of the client for a processor (default: 250 ms).
    package var lateness: Duration
    /// The 99th percentile of the lateness of wake-ups (default: 30 ms).
    ///
    /// Pressure has no limit: a shared processor may still be available in time.
    package var usualLateness: Duration
    /// The share of processor time that a hypervisor took, from 0 to 1 (default: 0.1).
    package var steal: Double

    package init(
        lateness: Duration = .milliseconds(250), usualLateness: Duration = .milliseconds(30), steal: Double = 0.1
    ) {
        (self.lateness, self.usualLateness, self.steal) = (lateness, usualLateness, steal)
    }

    /// Wider limits for hangs, which take seconds and not milliseconds.
    var forHangs: NoiseLimits {
        NoiseLimits(
            lateness: max(lateness, .seconds(2)), usualLateness: max(usualLateness, .milliseconds(250)),
            steal: max(steal, 0.5))
    }

    /// Why the machine was too busy for the attempt to count; nil if it was not.
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

    /// What is wrong with the clocks; nil if they agree.
    var clockTrouble: String? {
        if suspended >= Self.smallestStep { return "the machine slept for \(suspended.text)" }
        return isClockStepped ? "the clock jumped by \(clockStep.text) meanwhile" : nil
    }
}
