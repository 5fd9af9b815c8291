import ArgumentParser
import Reports
import Wording

/// What `headwind run` and `headwind check` end with: what the run came to; or, where that is 0, the worst of what was asked
/// for besides and could not be done.
struct CommandEnding {
    private struct Failure {
        var status: ExitStatus
        /// Whole sentences.
        var reason: String
        var isTold: Bool
    }

    private let code: Int32
    private var failures: [Failure] = []

    /// The end of a run with this exit code.
    init(code: Int32) { self.code = code }

    /// The status of the process.
    var status: Int32 { code != 0 ? code : failures.map(\.status.rawValue).max() ?? 0 }

    /// Whether all that was asked for besides could be done.
    var isWhole: Bool { failures.isEmpty }

    /// Does what was asked for besides the run, and keeps why it could not be done.
    mutating func attempt(_ body: () throws -> Void) {
        do { try body() } catch let failure as CommandFailure {
            failures.append(Failure(status: failure.status, reason: failure.description, isTold: false))
        } catch {
            failures.append(Failure(status: .failed, reason: "\(error)", isTold: false))
        }
    }

    /// Keeps what could not be done, and is told elsewhere too.
    mutating func add(_ status: ExitStatus, told reason: String) {
        failures.append(Failure(status: status, reason: reason, isTold: true))
    }

    /// What reports say where the status is not the run's own.
    var process: ProcessStatus? {
        guard status != code else { return nil }
        return ProcessStatus(code: status, reason: failures.map(\.reason.singleLine).joined(separator: " "))
    }

    /// Tells what has not been told, and throws the status where it is not 0.
    func finish() throws {
        for failure in failures where !failure.isTold { Console.note("headwind: \(failure.reason)") }
        guard status == 0 else { throw ExitCode(status) }
    }
}
