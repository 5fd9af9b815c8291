import AssetPacks
import Harness
import PackHost
import ProcessGuard
import ProxyLink
import ResourceLoading
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

/// Why a command ends: a sentence for people and a status for programs.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    /// One line, or several lines of Headwind's own.
    let text: TerminalText
    /// The problems of files to print before the text, a line each.
    private(set) var problems: [String] = []

    var description: String { text.description }

    init(_ status: ExitStatus, _ description: String) { self.init(status, lines: [description]) }

    init(_ status: ExitStatus, lines: [String]) {
        self.status = status
        text = TerminalText(lines: lines)
    }

    /// Prints the failure on stderr.
    func tell() {
        if !problems.isEmpty { Console.note(TerminalText(lines: problems)) }
        if !description.isEmpty { Console.note("headwind: \(text)") }
    }
}

extension CommandFailure {
    /// What a known error means for a command; nil for any other error.
    init?(telling error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any ErrorWithStatus: self.init(error.exitStatus, error.description)
        case let error as InvalidFiles: self.init(error)
        case let error as ReplayTrouble:
            self.init(ExitStatus(rawValue: error.exitCode) ?? .infrastructure, "\(error)")
        case MergeError.unlike(_, _), is CatalogError: self.init(.invalidInput, "\(error)")
        case is MergeError, is HarnessError, is ScratchError, is GuardError: self.init(.infrastructure, "\(error)")
        case is StoreError: self.init(.failed, "\(error)")
        default: return nil
        }
    }

    /// The error, with the exit status for its cause.
    init(_ error: some ErrorWithStatus) { self.init(error.exitStatus, error.description) }

    /// Files of Headwind's own are not where they belong; `remedy` is the beginning of what to do, up to "set".
    init(missing what: String, _ remedy: String) {
        self.init(
            .failed,
            "\(what) not beside this program. \(remedy) \(BundledFiles.variable) to the folder that holds "
                + "'scenarios' and 'profiles'.")
    }

    /// The problems as `file:line:column: message`, or `headwind: message` if a problem is in no file.
    init(_ error: InvalidFiles) {
        let count = error.diagnostics.count
        self.init(.invalidInput, count == 1 ? "" : "found \(count) problems")
        problems = error.diagnostics.map { ($0.file.isEmpty ? "headwind: " : "") + $0.description }
    }
}

/// An error of another target, to which this program adds the exit status for its cause.
protocol ErrorWithStatus: Error, CustomStringConvertible {
    var exitStatus: ExitStatus { get }
}

extension ResultFileError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch self {
        case .noResultsFolder(_, _, let errno?): ExitStatus(cannotWrite: errno)
        case .foreignFiles: .usage
        case .noRun: .invalidInput
        case .noResultsFolder, .folderInUse, .notWritten: .infrastructure
        }
    }
}

extension ProxyLinkError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        guard case .listen(_, _, let code) = self else { return .infrastructure }
        return ExitStatus(cannotListen: code.map { Errno(rawValue: $0) })
    }
}

extension HostError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch self {
        case .cannotListen(_, let errno): ExitStatus(cannotListen: errno)
        case .duplicatePath, .malformedPath: .invalidInput
        case .impossibleFault: .usage
        }
    }
}
