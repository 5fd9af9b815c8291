import Documents
import FoundationEssentials
import LinuxSupport
package import PackFormat
import PacketLink
import Redaction
import Reports
package import Results
package import Scenarios
package import SystemPackage
import Wording

/// The contents of a bundle before it is written: everything needed to repeat the failure of a cell.
package struct BundleDraft {
    /// The name of the bundle's folder: `CELL-ATTEMPT`.
    let name: String
    var record: BundleRecord
    /// Texts by file name.
    let texts: [String: String]
    /// The packs; nil if they are not copied.
    let packs: PackCopies?
    /// The capture of the attempt's packets; nil if they were not recorded.
    let capture: FilePath?

    /// Packs with more bytes than this in total are not copied: 8 MiB.
    static let mostPackBytes: Int64 = 8 << 20
    /// The name of the capture of an attempt's packets in a bundle.
    static let captureFile = "capture.pcapng"

    /// The bundle of a cell's first broken attempt; nil if no attempt broke, or if its schedule is incomplete.
    init?(_ outcome: CellOutcome, of cell: Cell, _ run: RunFacts) {
        guard let attempt = outcome.result.firstBrokenAttempt else { return nil }
        self.init(attempt, in: outcome, of: cell, run)
    }

    /// The bundle of an attempt with any result; nil if its schedule is incomplete.
    package init?(_ attempt: AttemptRecord, in outcome: CellOutcome, of cell: Cell, _ run: RunFacts) {
        let result = outcome.result.redacted
        guard let facts = attempt.schedule, let schedule = outcome.schedules[facts.file], facts.omitted == 0 else {
            return nil
        }
        let packs = PackCopies(of: cell, outcome.site, most: Self.mostPackBytes)
        let fidelity: Link.Fidelity = result.link.fidelity == "packet" ? .packet : .modelled
        guard
            let bundle = ScenarioBundle(
                cell, playing: schedule, fidelity: fidelity, packs: packs == nil ? .asNamed : .copied)
        else { return nil }
        var texts = bundle.files
        let events = outcome.timeline.filter { $0.attempt == attempt.number }
        texts[ReportFormat.eventsFileName] = events.map(\.line).joined()
        let scenario = Array((texts[ScenarioBundle.scenarioFile] ?? "").utf8)
        let client = cell.workload.isBuiltIn ? run.foreignClient : nil
        let command = ClientFiles.command(of: cell, client: client)
        name = "\(cell.id)-\(attempt.number)"
        self.texts = texts
        self.packs = packs
        capture = outcome.captures[attempt.number]
        record = BundleRecord(
            schema: BundleRecord.currentSchema, toolVersion: run.toolVersion, command: "",
            madeAt: Date().formatted(Date.ISO8601FormatStyle()),
            origin: BundleOrigin.of(scenario: scenario, client: client == nil ? nil : command.first),
            cell: result.name, title: result.title ?? result.name, attempt: attempt.number,
            backend: result.link.backend, seed: attempt.seed,
            failure: Self.failure(of: attempt, in: outcome.result, CellPlan(cell, over: fidelity)),
            sentences: Self.sentences(result),
            schedule: facts,
            client: .init(
                command: command, isBuiltIn: cell.workload.isBuiltIn && client == nil,
                files: ClientFiles.records(of: cell, client: run.client)),
            content: .init(
                source: Self.source(of: cell.content), isCopied: packs != nil,
                packs: outcome.site?.packRecords ?? []),
            host: run.host, leftOut: bundle.leftOut)
        record.schedule.file = ScenarioBundle.scheduleFile
    }

    /// The checks that the attempt broke, of those that the cell failed.
    private static func failure(of attempt: AttemptRecord, in result: CellResult, _ plan: CellPlan)
        -> FailureFingerprint
    {
        let whole = plan.fingerprint(of: attempt)
        let failed = Set(result.checks.filter { $0.decides && $0.verdict == .fail }.map(\.name))
        return FailureFingerprint(outcomes: whole.outcomes, budgets: whole.budgets.filter(failed.contains))
    }

    private static func sentences(_ result: CellResult) -> [String] {
        result.checks.filter { $0.decides && $0.verdict == .fail }.map { "\($0.name) (\($0.asked)): \($0.sentence)" }
            + result.findings.filter { $0.attribution.row.subject == .client }.map(\.description)
    }

    private static func source(of content: Content) -> String {
        switch content {
        case .catalog(.builtIn(let name)): "catalog \(name)"
        case .catalog(.builtInBackgroundAssets(let name)): "catalog \(name) as Background Assets"
        case .catalog(.backgroundAssets(let folder)): "catalog \(folder) as Background Assets"
        case .catalog(.folder(let folder, _)), .catalog(.byFolder(let folder)): "catalog \(folder)"
        case .packs(let folder): "packs \(folder)"
        case .network: "this machine's networks"
        case .host(let host): "host \(Redaction.url(host.manifest))"
        }
    }

    /// Writes the bundle, whole or not at all; replaces an existing bundle, and nothing else.
    ///
    /// Throws ``ResultFileError``.
    package func write(to place: FilePath) throws {
        try BundlePlace(place).write { work in
            var record = record
            record.command = Self.command(at: place)
            try Self.write(Array(record.jsonText().utf8), to: work.appending(BundleRecord.fileName))
            for (file, text) in texts { try Self.write(Array(text.utf8), to: work.appending(file)) }
            try packs?.write(to: work)
            if let capture { try CaptureFile(capture).copy(to: work.appending(Self.captureFile), .withoutPayload) }
        }
    }

    /// The command that replays the failure of a bundle.
    static func command(at place: FilePath) -> String {
        "headwind replay \(ShellWords.quoted(place.whole.string))"
    }

    /// Writes a file, and makes its folder.
    static func write(_ bytes: [UInt8], to file: FilePath) throws {
        try file.makeParent()
        try Data(bytes).write(to: URL(filePath: file.string))
    }
}

extension Site {
    /// The size and digest of every pack, named by its identifier.
    package var packRecords: [BundleRecord.File] {
        packs.map { BundleRecord.File(name: $0.identifier, sizeBytes: $0.size, sha256: $0.sha256) }
    }
}
