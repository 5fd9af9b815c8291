import ArgumentParser
import History
import Results
import SystemPackage

/// Options for whether and where a run is recorded.
struct HistoryOptions: ParsableArguments {
    @Option(
        file:
            "Record the measurements in this history file, or with 'on' in the default one "
            + "(docs/how-to/history.md).", ["sqlite"])
    var history: String?

    @Flag(help: "Do not record, even if HEADWIND_HISTORY is set.")
    var noHistory = false

    /// The variable that names a history for all runs.
    static let variable = "HEADWIND_HISTORY"
    /// The word that selects the default history file.
    private static let usual = "on"

    func validate() throws {
        if history != nil, noHistory { throw ValidationError("Give either --history or --no-history, not both.") }
        if history == "" { throw ValidationError("--history needs the name of a file, or 'on'.") }
    }

    /// The history to record in; nil if the run is not recorded.
    var file: FilePath? {
        guard !noHistory, let name = history ?? Console.environment(Self.variable), !name.isEmpty else { return nil }
        return name == Self.usual ? Self.usualFile : FilePath(name)
    }

    /// The history to read: the named one, that of the variable, or the default one.
    static func file(named name: String?) -> FilePath {
        let name = name ?? Console.environment(variable).flatMap { $0.isEmpty ? nil : $0 } ?? usual
        return name == usual ? usualFile : FilePath(name)
    }

    /// The default history, in the user's folder for state; see the XDG Base Directory Specification.
    private static var usualFile: FilePath {
        let state = Console.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        let home = FilePath(Console.environment("HOME") ?? "/")
        return (state ?? home.appending(".local/state")).appending("headwind").appending("history.sqlite")
    }

    /// Throws `HistoryError` if the run cannot be recorded; call it before the run.
    func check() throws {
        guard let file else { return }
        _ = try RunHistory(recordingAt: file)
    }

    /// Records a complete run with any verdict, if requested.
    ///
    /// Throws if it could not be recorded, and the run has no other trouble.
    func record(_ result: RunResult) throws {
        guard let file else { return }
        guard result.isWhole else { return Console.note("The run is not recorded in \(file): it has not finished.") }
        do throws(HistoryError) { try RunHistory(recordingAt: file).record(result.kept) } catch {
            guard result.exitCode != 0 else { throw error }
            Console.note(CommandFailure(error).text)
        }
    }
}

extension HistoryError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch self {
        case .missing, .foreign, .newer, .damaged: .invalidInput
        case .unusable(_, _, let error): error.map { ExitStatus(cannotWrite: $0) } ?? .usage
        case .busy, .full: .infrastructure
        }
    }
}
