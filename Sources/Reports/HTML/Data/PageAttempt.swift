import Results

extension PageJSON {
    /// An attempt, for the table of a cell's attempts.
    mutating func attempt(_ attempt: AttemptRecord) {
        object { json in
            json.add("n", attempt.number)
            if !attempt.counts { json.add("left", true) }
            json.add("arm", attempt.arm?.rawValue)
            json.add("seconds", attempt.durationSeconds.forPeople)
            json.add("seed", attempt.seed.description)
            json.add("end", attempt.clientEnd?.text)
            json.add("findings", list: attempt.findings) { $0.finding($1) }
            json.add("notes", attempt.notes)
            json.add("said", attempt.clientOutput ?? [])
            json.add("unplayed", attempt.unplayedFaults)
            json.add("bytes", attempt.bytes?.text)
            if let bytes = attempt.bytes, !bytes.agrees { json.add("disagree", true) }
            json.add("requests", list: Array(attempt.requests.prefix(Self.mostRequests))) { $0.outcome($1) }
            json.samples(attempt)
            if let noise = attempt.noise { json.noise(noise) }
            if let schedule = attempt.schedule { json.schedule(schedule) }
        }
    }

    /// The most requests of an attempt that a page shows.
    private static let mostRequests = 100

    private mutating func outcome(_ outcome: RequestOutcome) {
        object { json in
            json.add("id", outcome.id)
            json.add("result", outcome.result.rawValue)
            json.add("seconds", outcome.seconds?.forPeople)
            json.add("tags", outcome.tags)
            if outcome.result != .available { json.add("says", outcome.description) }
            json.add("message", outcome.message)
        }
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
        add("ideal", list: ideal) { json, pair in
            json.list { json in
                json.integer(pair.0)
                json.number(pair.1)
            }
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
        key("schedule")
        object { json in
            json.add("file", schedule.file)
            json.add("lines", schedule.lines)
            json.add("hash", schedule.hash)
            json.add("omitted", schedule.omitted)
            json.add("unmet", schedule.unmet)
        }
    }
}

extension ClientEnd {
    /// `exit 0`, `signal 9, stopped by Headwind`.
    fileprivate var text: String {
        let end = exitStatus.map { "exit \($0)" } ?? signal.map { "signal \($0)" } ?? "never started"
        return end + (wasStopped ? ", stopped by Headwind" : "")
    }
}
