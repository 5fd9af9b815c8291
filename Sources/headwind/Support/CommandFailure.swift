import ArgumentParser
import AssetPacks
import Harness
import PackFormat
import PackHost
import ProcessGuard
import ProxyLink
import Reports
import ResourceLoading
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Wording

/// The exit status of headwind; a larger status is worse, so the maximum of several is the worst.
enum ExitStatus: Int32, CaseIterable {
    /// Every budget and expectation was evaluated, and held.
    case held = 0
    /// Headwind itself failed.
    case failed = 1
    /// The command line is wrong (sysexits.h: EX_USAGE).
    case usage = 64
    /// A scenario, a profile or another input file is wrong (EX_DATAERR).
    case invalidInput = 65
    /// This machine lacks a capability (EX_UNAVAILABLE).
    case unavailable = 69
    /// The client did not cause the trouble, and another try may succeed (EX_TEMPFAIL).
    case infrastructure = 75
    /// A privilege is missing (EX_NOPERM).
    case noPermission = 77
    /// A replay played the faults of a bundle, and the failure did not come back.
    case notReproduced = 97
    /// There was too little evidence for a verdict.
    case inconclusive = 98
    /// A budget or an expectation failed.
    case budgetFailed = 99
    /// Interrupted (SIGINT), after clean-up.
    case interrupted = 130
    /// Terminated (SIGTERM), after clean-up.
    case terminated = 143
}

extension ExitStatus {
    /// The status if a file that the user named cannot be written.
    ///
    /// Only a full disk is temporary.
    init(cannotWrite error: Errno) {
        self =
            switch error {
            case _ where error.isNoRoom: .infrastructure
            case .permissionDenied, .notPermitted, .readOnlyFileSystem: .noPermission
            default: .usage
            }
    }

    /// The status if a program cannot listen on an address that the user named.
    ///
    /// A port in use may be free at the next try.
    init(cannotListen error: Errno?) {
        self =
            switch error {
            case .permissionDenied?, .notPermitted?: .noPermission
            case .addressNotAvailable?, .addressFamilyNotSupported?, .invalidArgument?: .usage
            default: .infrastructure
            }
    }
}

/// Why a command ends: a sentence for people and a status for programs.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    /// One line, or several lines of Headwind's own.
    let text: TerminalText
    /// The problems of files to print before the text, a line each.
    private(set) var problems: [String] = []

    var description: String { text.description }

    init(_ status: ExitStatus, _ description: String) { self.init(status, lines: [description]) }

    static func usage(_ description: String) -> Self { Self(.usage, description) }
    static func invalidInput(_ description: String) -> Self { Self(.invalidInput, description) }

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

/// The exit status of `headwind run` and `headwind check`.
///
/// It is the status of the run, or, if that is 0, the worst failure of the tasks that options request after the run.
struct CommandEnding {
    private let code: Int32
    /// A reason is one or more whole sentences.
    private var failures: [(status: ExitStatus, reason: String, isTold: Bool)] = []

    /// Begins with the exit code of the run.
    init(code: Int32) { self.code = code }

    /// The status of the process.
    var status: Int32 { code != 0 ? code : failures.map(\.status.rawValue).max() ?? 0 }

    /// Whether all tasks after the run succeeded.
    var isWhole: Bool { failures.isEmpty }

    /// Runs a task after the run, and records its failure.
    mutating func attempt(_ body: () throws -> Void) {
        do { try body() } catch {
            let failure = CommandFailure(telling: error) ?? CommandFailure(.failed, "\(error)")
            failures.append((failure.status, failure.description, isTold: false))
        }
    }

    /// Records a failure that is reported elsewhere too.
    mutating func add(_ status: ExitStatus, told reason: String) {
        failures.append((status, reason, isTold: true))
    }

    /// The status of the process for reports; nil if it is the run's own.
    var process: ProcessStatus? {
        guard status != code else { return nil }
        return ProcessStatus(code: status, reason: failures.map(\.reason.singleLine).joined(separator: " "))
    }

    /// Prints the failures not reported yet, and throws the status if it is not 0.
    func finish() throws {
        for failure in failures where !failure.isTold { Console.note("headwind: \(failure.reason)") }
        guard status == 0 else { throw ExitCode(status) }
    }
}
