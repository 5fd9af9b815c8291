import ArgumentParser
import Reports
import Wording

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
