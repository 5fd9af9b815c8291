import AssetPacks
import Evidence
import FoundationEssentials
import LinkModel
import Links
import PackFormat
import Redaction
import ResultFiles
import Results
import Scenarios
import SystemPackage

/// Runs the attempts of one cell until they are enough for its verdict.
struct CellRunner: Sendable {
    let run: Run
    /// The cell, and all that its attempts share except the measurements of the link.
    var context: CellContext
    /// The digest of the packs, for fingerprints; nil if unknown.
    let contentDigest: String?
    let calibrations: CalibrationStore
    /// How many attempts run at once, for fingerprints.
    let jobs: Fingerprint.Jobs
    /// The baseline that budgets compare with.
    let comparison: CellComparison

    private var cell: Cell { context.cell }
    private var plan: BackendPlan { context.plan }

    /// Runs the cell on its seat among those that run at once; returns its result, its timeline, and the schedules that
    /// its attempts recorded, by file name.
    ///
    /// An error that prevents the cell from running is a finding of its result, so that other cells still run.
    func perform(on seat: Seat) async throws -> CellOutcome {
        run.report(.began(cell: cell.id))
        let start = Date()
        let clock = ContinuousClock.now
        var attempts: [AttemptOutcome] = []
        var findings: [Finding] = []
        // Without a link, nothing is served.
        let content = plan.obstacle == nil ? context.content : nil
        do {
            if let obstacle = plan.obstacle { throw obstacle }
            try checkPrograms()
            try makeCaptureFolder()
            run.report(.calibrating(cell: cell.id))
            var calibration = Calibration(cell.link.profile, seed: cell.link.seed, by: plan.backend)
            calibration.links = run.dependencies.links
            var context = context
            context.calibration = await calibrations.measurements(calibration, by: run.dependencies.calibrate)
            try Task.checkCancellation()
            attempts = try await makeAttempts(context, on: seat)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            findings.append(Finding(trouble: error, isInSandbox: plan.backend.isInSandbox))
        }
        var result = CellResult(
            scenario: cell.id, title: cell.title,
            point: cell.point.map { .init(axis: $0.path, value: $0.value) },
            link: facts(attempts.compactMap(\.congestionControl).last), storage: storage(content),
            slice: cell.device.slice?.text,
            plan: checks, attempts: attempts.map(\.record), findings: findings,
            startedAt: start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            durationSeconds: clock.duration(to: .now).seconds,
            notes: plan.notes + limitNotes(content) + scheduleNotes(attempts.map(\.record)) + comparison.notes(on: cell)
                + farSideNotes)
        result.farSide = farSide
        (result.source, result.textDigest) = (cell.place, cell.textDigest)
        result.findings = result.findings.map(cell.located)
        if cell.workload.isBuiltIn { result.client = run.programs.foreignClient.map(Redaction.text) }
        result.fingerprint = fingerprint
        result.share = try? run.attemptShare.map { try AttemptShare($0.index, of: $0.count, plan: wholeChecks) }
        result.baseline = comparison.facts(of: result, named: cell.nameInBaselines, checks)
        var outcome = CellOutcome(
            result: result, timeline: attempts.flatMap(\.timeline), schedules: [:], site: content?.site,
            captures: captures(of: attempts))
        for attempt in attempts {
            if let file = attempt.record.schedule?.file { outcome.schedules[file] = attempt.schedule }
        }
        return outcome
    }

    /// The attempts by number.
    private func makeAttempts(_ context: CellContext, on seat: Seat) async throws -> [AttemptOutcome] {
        let checks = checks
        let planned = checks.attempts * (checks.isInterleaved ? 2 : 1)
        let room = ScratchRoom(context)
        let (made, begun) = try await CellAttempts(plan: checks, seat: seat, mayGoOn: { room.holds($0 + 1) }) {
            turn, seat in
            run.report(.attempting(cell: cell.id, number: turn.number, planned: planned))
            let pair = turn.pair.map { checks.numbering.number($0 + 1) - 1 }
            var context = comparison.turn(of: turn.arm, pair: pair, in: context)
            context.onIdle = { seat.rest() }
            let number = checks.numbering.number(turn.number)
            var attempt = try await AttemptRunner(context: context, number: number).run()
            attempt.record.arm = turn.arm
            return attempt
        }.perform()
        // Captures of attempts that were begun in vain are removed.
        for number in (made.count + 1)..<max(made.count + 1, begun + 1) {
            guard let file = context.capture(attempt: checks.numbering.number(number)) else { break }
            try? FileManager.default.removeItem(atPath: file.string)
        }
        return made
    }

    private func captures(of attempts: [AttemptOutcome]) -> [Int: FilePath] {
        let files = attempts.compactMap { attempt in
            context.capture(attempt: attempt.record.number).map { (attempt.record.number, $0) }
        }
        return Dictionary(files) { $1 }.filter { FileManager.default.fileExists(atPath: $0.value.string) }
    }

    /// What is at the other end of the link; nil for Headwind's own host.
    private var farSide: FarSide? {
        switch cell.content {
        case .host: .host
        case .network: .networks
        case .catalog, .packs: nil
        }
    }

    private var farSideNotes: [String] {
        guard let farSide else { return [] }
        let names = run.resolved.map(\.text).joined(separator: ", ")
        return [farSide.sentence] + (names.isEmpty ? [] : ["names by --resolve: \(names)"])
    }

    /// Notes about packs that are larger than a store of the device's OS accepts; they are requested all the same.
    private func limitNotes(_ content: PreparedContent?) -> [String] {
        guard cell.workload.isBuiltIn, let content, let manifest = try? AssetPackManifest(plist: content.site.manifest)
        else { return [] }
        return cell.device.limits.findings(of: manifest.resources).map { "a store refuses this: \($0)" }
    }

    /// A note that no attempt met any fault of the schedule, so that a pass does not show what it was written for.
    private func scheduleNotes(_ attempts: [AttemptRecord]) -> [String] {
        let counted = attempts.filter(\.counts)
        guard let count = cell.schedule?.faults.lines.count, count > 0, !counted.isEmpty,
            counted.allSatisfy({ $0.schedule?.unmet == count })
        else { return [] }
        let faults = count == 1 ? "the schedule's fault" : "any of the schedule's \(count) faults"
        return ["the client did not meet \(faults): check that the names and numbers in its lines are still right"]
    }

    private func makeCaptureFolder() throws {
        guard let folder = context.captures else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        } catch {
            throw HarnessError.notWritten(folder, reason: error.systemReason)
        }
    }

    private var checks: CellPlan {
        let whole = wholeChecks
        return run.attemptShare.flatMap { whole.share($0.index, of: $0.count) } ?? whole
    }

    /// The plan for all attempts, wherever they are made.
    private var wholeChecks: CellPlan {
        comparison.adding(to: CellPlan(cell, over: plan.backend.fidelity), for: cell.nameInBaselines, fingerprint)
    }

    private var fingerprint: Fingerprint {
        Fingerprint(
            of: cell, over: facts(nil), run.programs.facts(toolVersion: run.toolVersion), contentDigest: contentDigest,
            jobs: jobs)
    }

    private func facts(_ congestionControl: String?) -> LinkFacts {
        var facts = LinkFacts(
            profile: cell.link.profile.name, backend: plan.backend.rawValue, fidelity: plan.backend.fidelity.rawValue)
        facts.reason = plan.reason
        facts.fidelityAsked = cell.link.fidelity == .any ? nil : cell.link.fidelity.rawValue
        facts.congestionControl = congestionControl
        facts.isCongestionControlPinned =
            plan.backend.isInSandbox && congestionControl == AttemptNetwork.pinnedCongestionControl
        return facts
    }

    /// The device's file system if it had one, or the built-in client's own accounts; nil for another command.
    private func storage(_ content: PreparedContent?) -> StorageFacts? {
        if let bytes = cell.storageSize(content), plan.backend.isInSandbox, run.programs.isFilledByFiles(in: cell) {
            return StorageFacts(kind: .tmpfs, bytes: bytes)
        }
        guard cell.workload.isBuiltIn else { return nil }
        let (own, storage) = (cell.device.capacity.bytes, cell.device.storage?.bytes)
        return StorageFacts(kind: .account, bytes: min(own, storage ?? own))
    }

    /// Throws if something is missing that every attempt needs.
    private func checkPrograms() throws {
        let program = run.programs.guardProgram
        guard FileManager.default.isExecutableFile(atPath: program.string) else {
            throw HarnessError.programMissing(program, .noSuchFileOrDirectory)
        }
        if let directory = cell.workload.command?.directory, (try? directory.stat())?.type != .directory {
            throw HarnessError.noFolder(directory)
        }
    }
}

extension Scenarios.Cell {
    /// The finding; one about the scenario gets the file and line that it is about.
    func located(_ finding: Finding) -> Finding {
        guard finding.attribution.row.subject == .scenario, let place else { return finding }
        let key =
            switch finding.attribution {
            case .faultNotPlayed: "faults"
            case .metricMissing, .nothingChecked: mark(of: "budgets") == nil ? "expect" : "budgets"
            default: "workload"
            }
        var finding = finding
        let line = mark(of: key)?.line ?? place.line
        finding.detail = finding.detail.withoutFullStop + " (\(place.file):\(line))"
        return finding
    }
}
