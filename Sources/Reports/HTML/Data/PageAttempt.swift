import Results

extension PageJSON {
    /// An attempt, for the table of a cell's attempts.
    mutating func attempt(_ attempt: AttemptRecord) {
        add("n", attempt.number)
        if !attempt.counts { add("left", true) }
        add("arm", attempt.arm?.rawValue)
        add("seconds", attempt.durationSeconds.forPeople)
        add("seed", attempt.seed.description)
        add("end", attempt.clientEnd?.text)
        add("findings", objects: attempt.findings) { $0.finding($1) }
        add("notes", attempt.notes)
        add("said", attempt.clientOutput ?? [])
        add("unplayed", attempt.unplayedFaults)
        add("bytes", attempt.bytes?.text)
        if let bytes = attempt.bytes, !bytes.agrees { add("disagree", true) }
        add("requests", objects: Array(attempt.requests.prefix(Self.mostRequests))) { $0.outcome($1) }
        samples(attempt)
        if let noise = attempt.noise { self.noise(noise) }
        if let schedule = attempt.schedule { self.schedule(schedule) }
    }

    /// The most requests of an attempt that a page shows.
    private static let mostRequests = 100

    private mutating func outcome(_ outcome: RequestOutcome) {
        add("id", outcome.id)
        add("result", outcome.result.rawValue)
        add("seconds", outcome.seconds?.forPeople)
        add("tags", outcome.tags)
        if outcome.result != .available { add("says", outcome.description) }
        add("message", outcome.message)
    }

    /// A number for each metric of the run's list: `"never"` if its event never happened, null if unknown.
    private mutating func samples(_ attempt: AttemptRecord) {
        key("samples")
        list(Metric.allCases) { json, metric in
            switch attempt.samples[metric] {
            case .value(let value): json.number(value.forPeople)
            case .neverCame: json.string("never")
            case .unknown: json.null()
            }
        }
        let ideal = Metric.allCases.enumerated().compactMap { index, metric in
            attempt.ideal[metric].map { (index, $0.forPeople) }
        }
        add("ideal", lists: ideal) { json, pair in
            json.integer(pair.0)
            json.number(pair.1)
        }
    }

    private mutating func noise(_ noise: NoiseRecord) {
        key("noise")
        let measures = [
            noise.latestWakeSeconds, noise.pressureRatio, noise.ownWaitRatio, noise.clientWaitSeconds, noise.stealRatio,
        ]
        list(measures) { json, value in json.optional(value?.forPeople) }
    }

    private mutating func schedule(_ schedule: ScheduleFacts) {
        add("schedule") { json in
            json.add("file", schedule.file)
            json.add("lines", schedule.lines)
            json.add("hash", schedule.hash)
            json.add("omitted", schedule.omitted)
            json.add("unmet", schedule.unmet)
        }
    }
}

extension ClientEnd {
    /// `exit 0`, `signal 9, stopped by Headwind`, `exit 139, signal 11`.
    fileprivate var text: String {
        let ends = [exitStatus.map { "exit \($0)" }, signal.map { "signal \($0)" }].compactMap { $0 }
        let end = ends.isEmpty ? "never started" : ends.joined(separator: ", ")
        return end + (wasStopped ? ", stopped by Headwind" : "")
    }
}
