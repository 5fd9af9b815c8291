/// The result of `headwind check`: a row for each thing that a good client does.
package struct ClientReport: Hashable, Sendable, Codable {
    /// Whether a client does what a row says.
    package enum Answer: String, Codable, Sendable {
        case holds
        case fails
        /// It could not be observed with this client, which is never a pass.
        case notObservable = "not_observable"
        /// The machine or Headwind prevented the observation; worth another try.
        case notMeasured = "not_measured"
    }

    /// How bad a failure is for the people who use the client, the worst first.
    package enum Severity: String, Codable, Sendable, CaseIterable {
        /// It accepts what a third party may have sent in the host's name, or reveals secrets.
        case insecure
        /// It reports a pack that it does not have, or that has other content.
        case wrongData = "wrong_data"
        case crashes
        /// Files that existed before are changed or gone.
        case losesData = "loses_data"
        /// It reports success although it could not get the pack.
        case claimsSuccess = "claims_success"
        /// It was still running when its patience or its time was over; it is unknown whether it ever ends.
        case hangs
        /// It fails although it could have continued.
        case givesUp = "gives_up"
        /// It uses the network, the host or the machine more than it needs to.
        case wasteful

        /// Its rank by severity, from 0, the worst.
        package var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    /// One thing that a good client does, and whether this one does.
    package struct Row: Hashable, Sendable, Codable {
        /// The scenario's name, which is the same in every run.
        package var name: String
        /// What a good client does: `Goes on where a lost connection broke off`.
        package var says: String
        package var answer: Answer
        /// How bad the failure is; nil if it does not fail.
        package var severity: Severity?
        /// What happened, or why nothing is known; empty if it holds.
        package var detail: String
        /// The client's bug that explains it; nil if no known one does.
        package var bug: ClientBug?
        /// The bug's place in the timeline: `events.jsonl, attempt 1, "t":812`; nil if unknown.
        package var event: String?
        /// What a good client does instead, with the source; nil if it does not fail.
        package var advice: String?
        /// The command that reproduces the failure; nil if no results were kept.
        package var again: String?
        /// How long its cell took; nil if it was not run.
        package var durationSeconds: Double?

        package init(
            name: String, says: String, answer: Answer, severity: Severity? = nil, detail: String = "",
            advice: String? = nil, again: String? = nil
        ) {
            self.name = name
            self.says = says
            self.answer = answer
            self.severity = severity
            self.detail = detail
            self.advice = advice
            self.again = again
        }

        private enum CodingKeys: String, SnakeCaseKey {
            case name, says, answer, severity, detail, bug, event, advice, again, durationSeconds
        }
    }

    /// The schema that this version writes.
    package static let currentSchema = 1
    /// The name of its file in a folder of results.
    package static let fileName = "check.json"

    package var schema: Int
    package var toolVersion: String
    /// The client's command, without secrets.
    package var command: [String]
    package var patienceSeconds: Double
    package var durationSeconds: Double
    /// The worst first, then what was not measured, what holds, and what could not be seen.
    package var rows: [Row]
    package var exitCode: Int32

    /// A report that sorts the rows by importance.
    ///
    /// The exit code is 99 if a row fails, 75 if one was not measured or none holds, and otherwise 0.
    package init(
        toolVersion: String, command: [String], patienceSeconds: Double, durationSeconds: Double, rows: [Row]
    ) {
        schema = Self.currentSchema
        self.toolVersion = toolVersion
        self.command = command
        self.patienceSeconds = patienceSeconds
        self.durationSeconds = durationSeconds
        self.rows = rows.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element)
        let answers = Set(rows.map(\.answer))
        exitCode = answers.contains(.fails) ? 99 : answers.contains(.notMeasured) || !answers.contains(.holds) ? 75 : 0
    }

    package func rows(_ answer: Answer) -> [Row] { rows.filter { $0.answer == answer } }

    private enum CodingKeys: String, SnakeCaseKey {
        case command, rows
        case schema = "schema_version"
        case toolVersion, patienceSeconds, durationSeconds, exitCode
    }
}

extension ClientReport.Row {
    fileprivate var rank: Int {
        let behind = ClientReport.Severity.allCases.count
        switch answer {
        case .fails: return severity?.rank ?? behind
        case .notMeasured: return behind + 1
        case .holds: return behind + 2
        case .notObservable: return behind + 3
        }
    }
}
