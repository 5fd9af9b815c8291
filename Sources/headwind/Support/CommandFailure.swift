import AssetPacks
import Distribution
import Harness
import History
import KernelLink
import PackFormat
import PackHost
import ProcessGuard
import ProxyLink
import ResourceLoading
import ResultFiles
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

    init(status: ExitStatus, description: String) { self.init(status: status, lines: [description]) }

    init(status: ExitStatus, lines: [String]) {
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
        case let error as BundleError: self.init(error)
        case let error as EngineError: self.init(error)
        case let error as HistoryError: self.init(error)
        case let error as HostError: self.init(error)
        case let error as InterfaceLinkError: self.init(error)
        case let error as InvalidFiles: self.init(error)
        case let error as PackFormatError: self.init(error)
        case let error as ProxyLinkError: self.init(error)
        case let error as ResultFileError: self.init(error)
        case let error as ReplayTrouble:
            self.init(status: ExitStatus(rawValue: error.exitCode) ?? .infrastructure, description: "\(error)")
        case MergeError.unlike(_, _), is CatalogError: self.init(status: .invalidInput, description: "\(error)")
        case is MergeError, is HarnessError, is ScratchError, is GuardError:
            self.init(status: .infrastructure, description: "\(error)")
        case is StoreError: self.init(status: .failed, description: "\(error)")
        default: return nil
        }
    }

    /// Files of Headwind's own are not where they belong; `remedy` is the beginning of what to do, up to "set".
    init(missing what: String, _ remedy: String) {
        self.init(
            status: .failed,
            description: "\(what) not beside this program. \(remedy) \(BundledFiles.variable) to the folder that holds "
                + "'scenarios' and 'profiles'.")
    }

    /// The problems as `file:line:column: message`, or `headwind: message` if a problem is in no file.
    init(_ error: InvalidFiles) {
        let count = error.diagnostics.count
        self.init(status: .invalidInput, description: count == 1 ? "" : "found \(count) problems")
        problems = error.diagnostics.map { ($0.file.isEmpty ? "headwind: " : "") + $0.description }
    }

    /// The error, with the exit status for its cause.
    init(_ error: ResultFileError) {
        let status: ExitStatus =
            switch error {
            case .noResultsFolder(_, _, let errno?): ExitStatus(cannotWrite: errno)
            case .foreignFiles: .usage
            case .noRun: .invalidInput
            default: .infrastructure
            }
        self.init(status: status, description: error.description)
    }

    /// The error, with the exit status for its cause.
    init(_ error: ProxyLinkError) {
        var status = ExitStatus.infrastructure
        if case .listen(_, _, let code) = error {
            status = ExitStatus(cannotListen: code.map { Errno(rawValue: $0) })
        }
        self.init(status: status, description: error.description)
    }

    /// The error, with the exit status for its cause.
    init(_ error: HostError) {
        let status: ExitStatus =
            switch error {
            case .cannotListen(_, let errno): ExitStatus(cannotListen: errno)
            case .duplicatePath, .malformedPath: .invalidInput
            case .impossibleFault: .usage
            }
        self.init(status: status, description: error.description)
    }
}
