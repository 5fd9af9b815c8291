/// Something that can happen to an attempt, a cell or a run, attributed to its cause.
///
/// The raw value is the name in results. ``row`` has the verdict, the exit code, the sentence and the remedy of each;
/// `docs/reference/verdicts.md` shows the same table.
package enum Attribution: String, CaseIterable, Codable, Sendable {
    // About the client.
    case clientCrashed = "client_crashed"
    case clientHung = "client_hung"
    case clientFailed = "client_failed"
    case callbackRepeated = "callback_repeated"
    case contentWrong = "content_wrong"
    case contentIncomplete = "content_incomplete"
    case clientFlooded = "client_flooded"
    case requestMisused = "request_misused"
    case redirectUnsafe = "redirect_unsafe"

    // About what the user wrote.
    case clientNotStarted = "client_not_started"
    case clientMisused = "client_misused"
    case faultNotPlayed = "fault_not_played"
    case metricMissing = "metric_missing"
    case nothingChecked = "nothing_checked"
    case linkBypassed = "link_bypassed"
    case baselineFailed = "baseline_failed"

    // About what runs and measures the client.
    case clientKilled = "client_killed"
    case eventsMissing = "events_missing"
    case eventsCut = "events_cut"
    case cellDied = "cell_died"
    case hostDied = "host_died"
    case hostFailed = "host_failed"
    case linkDied = "link_died"
    case staleServer = "stale_server"
    case fasterThanIdeal = "faster_than_ideal"
    case rateOff = "rate_off"
    case delayOff = "delay_off"
    case lossOff = "loss_off"
    case linkUnverified = "link_unverified"
    case bytesDisagree = "bytes_disagree"
    case attemptLost = "attempt_lost"
    case clockStepped = "clock_stepped"
    case machineNoisy = "machine_noisy"
    case resultsDiskFull = "results_disk_full"
    case resultsNotWritten = "results_not_written"
    case scratchDiskFull = "scratch_disk_full"
    case resourcesMissing = "resources_missing"
    case unfinished
    case deadlineReached = "deadline_reached"

    // About the machine, an end from outside, and Headwind itself.
    case baselineMissing = "baseline_missing"
    case baselineUnlike = "baseline_unlike"
    case capabilityMissing = "capability_missing"
    case calibrationNotIndependent = "calibration_not_independent"
    case harnessFailed = "harness_failed"
    case interrupted
    case terminated
}

extension Attribution {
    /// What a finding is about.
    package enum Subject: String, Sendable {
        /// The client under test: the run fails.
        case client
        /// What runs and measures the client: nothing is known about the client, and another run may succeed.
        case infrastructure
        /// What the user wrote: the scenario, its command, or the client's name; another try has the same result.
        case scenario
        /// What this machine cannot do.
        case machine
        /// Headwind's own mistake.
        case headwind
        /// A stop that the user asked for.
        case user

        /// The exit status of a run with a finding about this subject.
        var exitCode: Int32 {
            switch self {
            case .client: Verdict.fail.exitCode
            case .infrastructure: Verdict.infrastructure.exitCode
            case .scenario: 65
            case .machine: 69
            case .headwind: 1
            case .user: 130
            }
        }
    }

    /// One line of the table.
    package struct Row: Sendable {
        package let subject: Subject
        package let exitCode: Int32
        /// What happened, as a sentence.
        package let sentence: String
        /// What to do about it, as a sentence.
        package let remedy: String
        /// The findings that this one may be a consequence of; if one of them is in the same attempt, this one is
        /// dropped.
        ///
        /// A client that crashed cannot end its event stream, and its counts stop short. Bytes that bypassed the link
        /// did not cross it, and what crossed a link that died is unknown.
        let causes: Set<Attribution>
        /// Whether another try may succeed, because the finding depends on the moment, not on what was asked for.
        package let isWorthARetry: Bool
        /// What a good client does instead, with the source; nil if the finding is not about a client's behaviour.
        let advice: String?

        /// The verdict: a failure if it is about the client, otherwise infrastructure.
        package var verdict: Verdict { subject == .client ? .fail : .infrastructure }

        /// A line of the table; its exit code is its subject's by default.
        ///
        /// Another try is worthwhile, by default, after any trouble with the infrastructure.
        init(
            _ subject: Subject, exitCode: Int32? = nil, _ sentence: String, _ remedy: String,
            causes: Set<Attribution> = [], isWorthARetry: Bool? = nil, advice: String? = nil
        ) {
            self.subject = subject
            self.exitCode = exitCode ?? subject.exitCode
            self.sentence = sentence
            self.remedy = remedy
            self.causes = causes
            self.isWorthARetry = isWorthARetry ?? (subject == .infrastructure)
            self.advice = advice
        }
    }

    /// SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV and SIGSYS: a program causes them by a mistake of its own.
    package static let crashSignals: Set<Int32> = [4, 5, 6, 7, 8, 11, 31]

    /// The attribution of a client that a signal ended and that Headwind did not stop.
    ///
    /// One of ``crashSignals`` is a crash (signal(7)). So are SIGPIPE, and a signal of a timer or a limit that the
    /// client has set: SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ. The sender of any other signal is unknown: it may
    /// be another process, the kernel because of too little memory (SIGKILL), or the program itself.
    package static func client(endedBySignal signal: Int32) -> Attribution {
        crashSignals.union([13, 14, 24, 25, 26, 27]).contains(signal) ? .clientCrashed : .clientKilled
    }
}
