import ArgumentParser
import Documents
import FoundationEssentials
import Harness
import LinuxSupport
import Redaction
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

/// Options for what a run is compared with, and where its measurements are saved for later runs.
struct BaselineOptions: ParsableArguments {
    @Option(file: "Save the measurements of a passing run to this file, as a baseline for later runs.", ["json"])
    var saveBaseline: String?

    @Option(file: "Compare baseline budgets with this file, which --save-baseline wrote.", ["json"])
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "Compare baseline budgets with this program, which takes turns with --client.",
            valueName: "program"), completion: .file())
    var againstClient: String?

    @Option(
        help: ArgumentHelp(
            "Compare baseline budgets with this command, which takes turns with the scenario's. It "
                + "has the same placeholders.",
            valueName: "words"))
    var againstCommand: String?

    @Option(
        help: ArgumentHelp(
            "Compare baseline budgets with this host, which takes turns with the scenario's. Give the URL of its manifest.",
            valueName: "url"))
    var againstHost: String?

    func validate() throws {
        let ways = [baseline, againstClient, againstCommand, againstHost].compactMap { $0 }
        guard ways.count <= 1 else {
            throw ValidationError(
                "Give only one of --baseline, --against-client, --against-command and --against-host.")
        }
    }

    /// Whether an option about baselines or rivals is given, so budgets may compare with one.
    var isUsed: Bool { [saveBaseline, baseline, againstClient, againstCommand, againstHost].contains { $0 != nil } }

    /// What budgets against a baseline compare with; nil if no option requests it.
    ///
    /// Throws if no scenario has such a budget, if client and rival cannot take turns, or if the file does not exist.
    func comparison(for scenarios: [Scenario]) throws -> RunComparison? {
        guard isUsed else { return nil }
        let rival = try rival()
        guard rival != nil || baseline != nil else { return .leftOut }
        let compared = scenarios.flatMap(\.cells).filter(\.isCompared)
        guard !compared.isEmpty else {
            throw CommandFailure.usage(
                "None of these scenarios has a budget against a baseline, so nothing would be compared. Write one, "
                    + "such as 'time_to_available: median <= 1.05 x baseline', or see 'headwind report compare'.")
        }
        guard let rival else { return try stored() }
        if let cell = compared.first(where: { !rival.isFit(for: $0) }) {
            throw CommandFailure.usage(
                "The cell '\(cell.id)' has a budget against a baseline, but \(unfit(cell)). Choose other scenarios, or "
                    + "use --baseline.")
        }
        return .interleaved(rival)
    }

    private func unfit(_ cell: Cell) -> String {
        if againstHost != nil { return "--against-host replaces a scenario's 'host', which it lacks" }
        if againstClient != nil {
            return "--against-client replaces headwind-client, but the cell runs a command (see --against-command)"
        }
        return "--against-command replaces a scenario's command, which it lacks (see --against-client)"
    }

    private func rival() throws -> Rival? {
        if let againstClient {
            var programs = Programs(beside: BundledFiles.executable)
            do { try programs.use(client: againstClient) } catch {
                throw CommandFailure.usage("\(error)")
            }
            return .client(programs)
        }
        if let againstCommand {
            guard let words = ShellWords.split(againstCommand), !words.isEmpty else {
                throw CommandFailure.usage(
                    "--against-command '\(againstCommand)' is not a command: it is empty, or a quote is not closed.")
            }
            do { return try Rival(words: words) } catch let error as InvalidFiles {
                throw CommandFailure.usage("--against-command: \(error.sentences).")
            }
        }
        guard let againstHost else { return nil }
        guard let manifest = RemoteHost.manifest(at: againstHost) else {
            throw CommandFailure.usage(
                "--against-host '\(againstHost)' is not a URL, such as https://main.example/packs/.")
        }
        return .host(manifest: manifest)
    }

    private func stored() throws -> RunComparison? {
        guard let baseline else { return nil }
        let file = FilePath(baseline).absolute
        guard FileManager.default.fileExists(atPath: file.string) else {
            // Fail before the run: without the file its result is certain.
            throw CommandFailure(
                .unavailable,
                "There is no baseline '\(baseline)', so nothing was run. Create it with --save-baseline instead of "
                    + "--baseline, from a known good version; or check the file's path.")
        }
        return .stored(try .read(file), file: baseline)
    }

    /// Throws ``CommandFailure`` if the baseline cannot be written; call it before the run.
    func checkPlace() throws {
        guard let saveBaseline else { return }
        try FileReplacement.check(FilePath(saveBaseline), of: "--save-baseline")
    }

    /// Writes the measurements of the run, if requested.
    ///
    /// Throws if the file cannot be written, or if the result cannot be a baseline and the run has no other trouble.
    func save(_ result: RunResult) throws {
        guard let saveBaseline else { return }
        let kept = result.kept
        if let why = StoredBaseline.obstacle(to: kept) {
            let text = "No baseline was written to '\(saveBaseline)': \(why)."
            guard result.exitCode == 0 else { return Console.note("\(text)") }
            let isNoise = kept.cells.allSatisfy { $0.verdict == .pass }
            throw CommandFailure(.infrastructure, text + (isNoise ? " Run again on a machine with less load." : ""))
        }
        try StoredBaseline(kept).write(to: FilePath(saveBaseline).absolute)
        Console.note("The baseline is in \(saveBaseline).")
    }
}

extension RunResult {
    /// The result in a form that may be kept longer than its folder.
    ///
    /// It contains no secrets, not even in the names of cells, which come from the matrix.
    var kept: RunResult {
        var kept = redacted
        for index in kept.cells.indices {
            kept.cells[index].point = kept.cells[index].point.map {
                .init(axis: $0.axis, value: Redaction.text($0.value))
            }
        }
        return kept
    }
}

extension StoredBaseline {
    /// The largest file to read, 128 MiB: a thousand cells with a hundred attempts need half of that.
    private static let mostBytes = 128 << 20

    /// Reads a baseline, as `--save-baseline` writes it, from an absolute path.
    ///
    /// Throws `CommandFailure` if the file is no baseline.
    static func read(_ path: FilePath) throws -> StoredBaseline {
        let bytes = try BoundedFile.read(path, most: mostBytes) {
            CommandFailure.invalidInput("The baseline '\(path)' \($0). Give a file of 'headwind run --save-baseline'.")
        }
        guard bytes.count <= Self.mostBytes else {
            throw CommandFailure.invalidInput(
                "The baseline '\(path)' is larger than the limit of \(Self.mostBytes >> 20) MiB.")
        }
        do { return try StoredBaseline(json: Data(bytes)) } catch {
            throw CommandFailure.invalidInput("\(path): \(error)")
        }
    }

    /// Reads a file if it is a baseline; nil for any other file.
    ///
    /// Throws `CommandFailure` for a baseline of another version.
    static func readIfBaseline(_ path: FilePath) throws -> StoredBaseline? {
        guard let bytes = try? BoundedFile.read(path, most: mostBytes), bytes.count <= mostBytes else { return nil }
        do { return try StoredBaseline(json: Data(bytes)) } catch {
            guard case .unknownBaseline = error else { return nil }
            throw CommandFailure.invalidInput("\(path): \(error)")
        }
    }

    /// Writes the baseline, and replaces an existing one; if that fails, the existing one stays.
    func write(to path: FilePath) throws {
        do { try AtomicFile.write(try jsonText().utf8, to: path) } catch let error as Errno {
            throw CommandFailure(
                ExitStatus(cannotWrite: error),
                "Could not write the baseline '\(path)': \(error). Give a file in an existing, writable folder.")
        }
    }
}
