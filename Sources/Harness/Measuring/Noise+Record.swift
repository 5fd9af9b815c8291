import LinkModel
import Results
import Witness

extension Noise {
    /// Above one of these an attempt says more about the machine than about the client.
    private static let tooLate = Duration.milliseconds(100)
    private static let tooMuchPressure = 0.6
    private static let tooMuchSteal = 0.1

    /// Whether the machine was so busy that the attempt must not decide.
    var isTooNoisy: Bool {
        (largestLateness ?? .zero) > Self.tooLate || (pressure ?? 0) > Self.tooMuchPressure
            || (steal ?? 0) > Self.tooMuchSteal
    }

    var record: NoiseRecord {
        NoiseRecord(latestWakeSeconds: largestLateness?.seconds, pressureRatio: pressure, stealRatio: steal)
    }

    /// What is wrong with the clocks; nil where they agree.
    var clockTrouble: String? {
        if suspended >= Self.smallestStep { return "the machine slept for \(suspended.text)" }
        return isClockStepped ? "the clock was set by \(clockStep.text) meanwhile" : nil
    }
}
