import LinkModel
import Results
import Witness

extension Noise {
    var record: NoiseRecord {
        NoiseRecord(
            latestWakeSeconds: largestLateness?.seconds, pressureRatio: pressure, ownWaitRatio: ownWait,
            clientWaitSeconds: clientWait?.seconds, stealRatio: steal)
    }

    /// What is wrong with the clocks; nil where they agree.
    var clockTrouble: String? {
        if suspended >= Self.smallestStep { return "the machine slept for \(suspended.text)" }
        return isClockStepped ? "the clock was set by \(clockStep.text) meanwhile" : nil
    }
}
