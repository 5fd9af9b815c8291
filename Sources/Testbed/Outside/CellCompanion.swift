import CLinux
import CellMessages
import Glibc
import Synchronization
package import SystemPackage

/// A program that serves a cell from this machine's networks, with which this process has no part but to wait for it.
///
/// It ends with the cell.
package final class CellCompanion: Sendable {
    /// How it ended, and what it said.
    package struct End: Sendable, Equatable {
        package let status: CellExit.Status
        /// The last of its standard error, at most 4 KiB.
        package let words: String
        /// What this process had too little of for all of the cell's connections, where it is that and the program runs.
        package var shortage: Errno?
    }

    private struct State {
        var end: End?
        var shortage: CellShortage?
        var waits: [CheckedContinuation<End, Never>] = []
    }

    private static let mostWords = 4096

    private let processID: pid_t
    private let errors: FileDescriptor
    private let state = Mutex(State())

    /// Starts it.
    ///
    /// `arguments` begin with its path, and it has no other variables than `environment`.
    init(
        _ arguments: [String], environment: [String: String], users: FileDescriptor, processes: FileDescriptor
    ) throws(Errno) {
        var ends: [CInt] = [-1, -1]
        guard unsafe headwind_pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        errors = FileDescriptor(rawValue: ends[0])
        let writing = FileDescriptor(rawValue: ends[1])
        let (processID, error) = unsafe withCStrings(arguments) { list in
            unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                unsafe (arguments.first ?? "").withCString { program in
                    var companion = unsafe headwind_companion(
                        program: program, arguments: list, environment: variables, users: users.rawValue,
                        processes: processes.rawValue, errors: writing.rawValue)
                    let processID = unsafe headwind_cell_accompany(&companion)
                    return (processID, Errno(rawValue: errno))
                }
            }
        }
        self.processID = processID
        try? writing.close()
        guard processID > 0 else {
            try? errors.close()
            throw error
        }
        let failure = CellThread.start { self.run() }
        guard failure == 0 else {
            Glibc.kill(processID, SIGKILL)
            run()
            throw Errno(rawValue: failure)
        }
    }

    /// How it has ended, or what is lacking for its service; `nil` while it runs and serves.
    package var end: End? {
        let (end, shortage) = state.withLock { ($0.end, $0.shortage?.error) }
        return end ?? shortage.map { End(status: .exited(0), words: "", shortage: $0) }
    }

    /// Has ``end`` tell of what is lacking, too.
    func tell(of shortage: CellShortage) { state.withLock { $0.shortage = shortage } }

    /// Waits until it has ended.
    package func wait() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.waits.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Ends it at once.
    func kill() {
        // While the state is held its number cannot become another's: nobody has waited for it.
        state.withLock { if $0.end == nil { Glibc.kill(processID, SIGKILL) } }
    }

    /// The thread's work: hears it out, and waits for it, without which the cell could not end.
    private func run() {
        var words: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1024)
        while let count = try? unsafe bytes.withUnsafeMutableBytes({ try unsafe errors.read(into: $0) }), count > 0 {
            words = (words + bytes[..<count]).suffix(Self.mostWords)
        }
        try? errors.close()
        // Seen first and waited for under the lock, so that `kill` never meets another process of the same number.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let (end, waits) = state.withLock { state in
            var status: Int32 = 0
            while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            let end = End(
                status: signal == 0 ? .exited(status >> 8 & 0xff) : .signaled(signal),
                words: String(decoding: words, as: UTF8.self))
            state.end = end
            defer { state.waits = [] }
            return (end, state.waits)
        }
        for wait in waits { wait.resume(returning: end) }
    }
}
