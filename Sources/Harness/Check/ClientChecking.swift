import Evidence
import ResultFiles
package import Results
package import Scenarios

/// Checks a client of the user's with scenarios; reports which checks hold, which fail, and which cannot be observed.
package struct ClientChecking: Sendable {
    package let asked: [AskedScenario]
    package let command: CheckedCommand
    /// How scenarios are run; its own scenarios are ignored.
    package let run: Run

    package init(_ asked: [AskedScenario], command: CheckedCommand, run: Run) {
        self.asked = asked
        self.command = command
        self.run = run
    }

    /// Runs the checks; returns the report and the run.
    ///
    /// If the client fails the control, a download over a good link, only the control is run. Throws the errors of
    /// ``Run/perform()``, and `InvalidFiles` if the client cannot be executed.
    package func perform() async throws -> (report: ClientReport, result: RunResult) {
        let start = ContinuousClock.now
        if let folder = run.output, ReportOwner(folder: folder).hasForeignCheck {
            throw ResultFileError.foreignFiles(folder, names: [ClientReport.fileName])
        }
        func report(_ rows: [ClientReport.Row], of result: RunResult) -> ClientReport {
            ClientReport(
                toolVersion: run.toolVersion, command: command.words, patienceSeconds: command.patience.seconds,
                durationSeconds: start.duration(to: .now).seconds, rows: rows)
        }
        let controls = asked.filter { $0.check.role == .control }
        let others = asked.filter { $0.check.role != .control }
        // One record for both parts, so that the results contain the control, too.
        let record = try running(controls).record(of: cells(controls))
        let first = try await running(controls).perform(cells(controls), into: record)
        try Self.checkStart(of: first)
        var rows = ClientAnswers.rows(controls, first)
        if let (answer, why) = ClientAnswers.obstacle(rows) {
            return (report(rows + others.map { $0.row(answer, why) }, of: first), first)
        }
        let control = ClientAnswers.values(first)
        func isComparable(_ other: AskedScenario) -> Bool { other.controlMetrics.allSatisfy { control[$0] != nil } }
        let askable = others.filter { $0.unseen(by: command) == nil && isComparable($0) }.map {
            $0.limited(over: control)
        }
        let number = record.extend(by: cells(askable))
        let result = try await running(askable).perform(cells(askable), into: record, from: number)
        rows += ClientAnswers.withoutTrust(ClientAnswers.rows(askable, result), askable)
        rows += others.compactMap { other in other.unseen(by: command).map { other.row(.notObservable, $0) } }
        rows += others.filter { $0.unseen(by: command) == nil && !isComparable($0) }.map {
            $0.row(.notMeasured, "the control did not measure what this check compares with")
        }
        return (report(rows, of: result), result)
    }

    /// Throws if the client could not be started in any attempt of the control.
    private static func checkStart(of control: RunResult) throws(InvalidFiles) {
        let attempts = control.cells.flatMap(\.attempts)
        let findings = attempts.compactMap { $0.findings.first { $0.attribution == .clientNotStarted } }
        guard let finding = findings.first, findings.count == attempts.count else { return }
        throw InvalidFiles(
            "could not start the client: \(finding.detail.withoutFullStop)",
            hint: "run it yourself: a program of it may be missing, need a loader (ldd), or be made for another machine"
        )
    }

    private func running(_ asked: [AskedScenario]) -> Run {
        var run = run
        run.scenarios = asked.compactMap(\.scenario)
        run.cellDeadlineOption = "--within"
        return run
    }

    private func cells(_ asked: [AskedScenario]) -> [Cell] { asked.compactMap(\.scenario).flatMap(\.cells) }
}
