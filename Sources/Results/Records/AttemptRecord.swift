/// Everything that was measured in one attempt.
package struct AttemptRecord: Hashable, Sendable, Codable {
    /// Its place in the cell's order of execution, from 1.
    package var number: Int
    /// Whether the attempt is judged.
    ///
    /// An attempt that was too noisy is kept, but does not count, and is repeated.
    package var counts = true
    /// The side that made it; nil for the tested side, and in results of older versions.
    package var arm: Arm?
    package var seed: Seed
    /// The CLOCK_MONOTONIC time of the first event, which leads to it in the timeline.
    package var startedNanoseconds: Int64 = 0
    package var durationSeconds = 0.0
    package var samples = Samples()
    /// What a perfect transfer would have reached; see ``Basis/ideal``.
    package var ideal: MetricValues = [:]
    /// The minimum time over the link, if that is less than ideal; otherwise nil.
    package var least: MetricValues?
    /// What a plain curl reached in the same cell; see ``Basis/reference``.
    package var reference: MetricValues = [:]
    package var requests: [RequestOutcome] = []
    /// Answers to conditional requests, in their order; nil if there were none.
    package var answers: [RequestAnswer]?
    package var link: [LinkMeasurement] = []
    package var bytes: ByteAccount?
    /// A summary of the faults that it met; nil if they were not kept.
    package var schedule: ScheduleFacts?
    package var clientEnd: ClientEnd?
    /// The last lines of the client's standard error; nil if they were not kept, as for an attempt that did what was
    /// expected.
    package var clientOutput: [String]?
    /// The client's observed conduct; nil if it was not started, and in results of older versions.
    package var conduct: ConductRecord?
    /// How busy the machine was; nil if nothing watched it.
    package var noise: NoiseRecord?
    /// The findings of the harness; ``allFindings`` adds those that follow from the numbers.
    package var findings: [Finding] = []
    package var notes: [String] = []
    /// The scenario's faults that never happened, in words; nil if all did, and in results of older versions.
    package var unplayedFaults: String?
    /// How many of the scenario's faults happened; nil in results of older versions.
    package var playedFaults: Int?

    private enum CodingKeys: String, SnakeCaseKey {
        case number, counts, arm, seed, samples, ideal, least, reference, requests, answers, link, bytes, schedule,
            conduct, noise, findings, notes, startedNanoseconds, durationSeconds, unplayedFaults, playedFaults,
            clientEnd, clientOutput
    }
}

extension AttemptRecord {
    /// An attempt that counts, and of which nothing else is known yet.
    package init(number: Int, seed: UInt64) { self.init(number: number, seed: Seed(seed)) }

    /// Whether the client is judged by it: it counts, and is not the baseline's.
    package var isJudged: Bool { counts && arm == nil }
    /// Whether the tested side is compared with it: it counts, and is the baseline's.
    package var isCompared: Bool { counts && arm == .baseline }
}

/// The side that made an attempt, if two clients or two hosts are compared; nil is the tested side.
package enum Arm: String, CaseIterable, Hashable, Sendable, Codable {
    /// The side that the tested one is compared with.
    case baseline
}

/// How the client's process ended.
package struct ClientEnd: Hashable, Sendable, Codable {
    /// Its exit status; nil if a signal ended it or it never started.
    package var exitStatus: Int32?
    /// The signal that ended it, or that crashed the program in it; nil if neither is known.
    ///
    /// Of a program in it, only a shell's exit status says that (128 + n), so there are both.
    package var signal: Int32?
    /// Whether Headwind ended it, because its deadline had passed or the run was interrupted.
    package var wasStopped: Bool

    package init(exitStatus: Int32? = nil, signal: Int32? = nil, wasStopped: Bool = false) {
        self.exitStatus = exitStatus
        self.signal = signal
        self.wasStopped = wasStopped
    }

    private enum CodingKeys: String, SnakeCaseKey { case signal, exitStatus, wasStopped }
}
