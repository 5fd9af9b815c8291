/// Everything that was measured in one attempt.
package struct AttemptRecord: Hashable, Sendable, Codable {
    /// Its place in the cell's order of execution, from 1.
    package var number: Int
    /// Whether it is judged.
    ///
    /// One that was too noisy is repeated; it is kept, and does not count.
    package var counts: Bool
    /// Whose it is: nil that of what is tested, and in results of older versions.
    package var arm: Arm?
    package var seed: Seed
    /// The first event's CLOCK_MONOTONIC time, by which the timeline can be found.
    package var startedNanoseconds: Int64
    package var durationSeconds: Double
    package var samples: Samples
    /// What a perfect transfer would have reached; see ``Basis/ideal``.
    package var ideal: MetricValues
    /// The least time over the link, where that is less than ideal; nil where it is not.
    package var least: MetricValues?
    /// What a plain curl reached beside it; see ``Basis/reference``.
    package var reference: MetricValues
    package var requests: [RequestOutcome]
    /// Answers to requests that were asked conditionally, in their order; nil where none was.
    package var answers: [RequestAnswer]?
    package var link: [LinkMeasurement]
    package var bytes: ByteAccount?
    /// What went wrong in it, in short; nil if it was not kept.
    package var schedule: ScheduleFacts?
    package var clientEnd: ClientEnd?
    /// The last lines that the client wrote on its standard error; nil where nothing was kept, as of an attempt that did
    /// what was expected.
    package var clientOutput: [String]?
    /// What was seen of the client's conduct; nil where it was not started, and in results of older versions.
    package var conduct: ConductRecord?
    /// How busy the machine was; nil where nothing watched.
    package var noise: NoiseRecord?
    /// What the harness found; what the numbers show by themselves is added by ``allFindings``.
    package var findings: [Finding]
    package var notes: [String]
    /// Faults of the scenario that never met their moment, in words; nil where all did, and in results of older versions.
    package var unplayedFaults: String?
    /// How many of the scenario's faults met their moment; nil in results of older versions.
    package var playedFaults: Int?

    package init(
        number: Int,
        counts: Bool = true,
        arm: Arm? = nil,
        seed: UInt64,
        startedNanoseconds: Int64 = 0,
        durationSeconds: Double = 0,
        samples: Samples = Samples(),
        ideal: MetricValues = [:],
        least: MetricValues? = nil,
        reference: MetricValues = [:],
        requests: [RequestOutcome] = [],
        link: [LinkMeasurement] = [],
        bytes: ByteAccount? = nil,
        schedule: ScheduleFacts? = nil,
        clientEnd: ClientEnd? = nil,
        clientOutput: [String]? = nil,
        conduct: ConductRecord? = nil,
        noise: NoiseRecord? = nil,
        findings: [Finding] = [],
        notes: [String] = []
    ) {
        self.number = number
        self.counts = counts
        self.arm = arm
        self.seed = Seed(seed)
        self.startedNanoseconds = startedNanoseconds
        self.durationSeconds = durationSeconds
        self.samples = samples
        self.ideal = ideal
        self.least = least
        self.reference = reference
        self.requests = requests
        self.link = link
        self.bytes = bytes
        self.schedule = schedule
        self.clientEnd = clientEnd
        self.clientOutput = clientOutput
        self.conduct = conduct
        self.noise = noise
        self.findings = findings
        self.notes = notes
    }

    private enum CodingKeys: String, CodingKey {
        case number, counts, arm, seed, samples, ideal, least, reference, requests, answers, link, bytes, schedule,
            conduct
        case noise, findings, notes
        case startedNanoseconds = "started_nanoseconds"
        case durationSeconds = "duration_seconds"
        case unplayedFaults = "unplayed_faults"
        case playedFaults = "played_faults"
        case clientEnd = "client_end"
        case clientOutput = "client_output"
    }
}

extension AttemptRecord {
    /// Whether it is one by which the client is judged: it counts, and is none of a baseline's.
    package var isJudged: Bool { counts && arm == nil }
    /// Whether what is tested is compared with it.
    package var isCompared: Bool { counts && arm == .baseline }
}
