import CLinux
import Glibc
import LinuxSupport
import Synchronization
package import SystemPackage

/// A program in this machine's networks that serves a sandbox; a process of the sandbox supervises it.
///
/// It ends with the sandbox.
package final class SandboxCompanion: Sendable {
    /// How it ended, and its last words.
    package struct End: Sendable, Equatable {
        package let status: SandboxExit.Status
        /// The end of its standard error, at most 4 KiB.
        package let words: String
        /// The shortage in this process that affects the sandbox's connections, if the program itself still runs.
        package var shortage: Errno?

        /// What the loss of the connection means for the program that ran in the sandbox, as sentences.
        package var consequence: String {
            if let shortage {
                return
                    "Headwind could not relay all connections to this machine's networks at once: \(shortage). Some had to wait, "
                    + "so the result of CMD says nothing about the network. Raise the limits that 'ulimit -Hn' and 'ulimit -Hu' show."
            }
            let words = words.isEmpty ? "" : " \(words)"
            return
                "The connection to this machine's networks was lost while CMD ran: pasta has ended (\(status)).\(words)"
        }
    }

    private struct State {
        /// Whether the keeper's socket is closed.
        var isClosed = false
        var shortage: SandboxShortage?
    }

    private static let mostWords = 4096

    private let errors: FileDescriptor
    /// A socket to the keeper, a process of the sandbox that reports the program's status, and ends it when the socket
    /// closes.
    private let keeper: FileDescriptor
    private let state = Mutex(State())
    /// Opens when the program has ended.
    private let ended = Latch<End>()

    /// Starts the program; the file `keeper` is headwind-init.
    ///
    /// `arguments` begin with the program's path. Its variables are exactly `environment`.
    init(
        _ arguments: [String], keeper program: FilePath, environment: [String: String], users: FileDescriptor,
        processes: FileDescriptor
    ) throws(Errno) {
        let writing: FileDescriptor
        (errors, writing) = try FileDescriptor.pipe(options: .closeOnExec)
        var pair: [CInt] = [-1, -1]
        guard unsafe headwind_socket_pair(&pair) == 0 else {
            let error = Errno(rawValue: errno)
            for end in [errors, writing] { try? end.close() }
            throw error
        }
        keeper = FileDescriptor(rawValue: pair[0])
        let theirs = FileDescriptor(rawValue: pair[1])
        let error: Errno? = unsafe withCStrings([program.string, "--companion"] + arguments) { list in
            unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                unsafe program.string.withCString { path in
                    var companion = unsafe headwind_companion(
                        keeper: path, arguments: list, environment: variables, users: users.rawValue,
                        processes: processes.rawValue, errors: writing.rawValue, socket: theirs.rawValue)
                    return unsafe headwind_sandbox_accompany(&companion) == 0 ? nil : Errno(rawValue: errno)
                }
            }
        }
        for end in [writing, theirs] { try? end.close() }
        do throws(Errno) {
            if let error { throw error }
            try awaitStart()
            try DedicatedThread.start { self.run() }
        } catch {
            // This makes the keeper end the program.
            for end in [errors, keeper] { try? end.close() }
            throw error
        }
    }

    private func awaitStart() throws(Errno) {
        // A keeper that could not start, or not report that, sends nothing.
        guard let word = hear() else { throw .brokenPipe }
        if word.kind != Int32(HEADWIND_COMPANION_STARTED.rawValue) { throw Errno(rawValue: word.value) }
    }

    /// The keeper's next message; `nil` if it has ended.
    private func hear() -> headwind_companion_word? {
        var word = headwind_companion_word()
        let count = unsafe recv(
            keeper.rawValue, &word, MemoryLayout<headwind_companion_word>.size, Int32(MSG_WAITALL))
        return count == MemoryLayout<headwind_companion_word>.size ? word : nil
    }

    /// How it has ended, or which resource its service lacks; `nil` while it runs and serves.
    package var end: End? {
        if let end = ended.now { return end }
        let shortage = state.withLock { $0.shortage?.error }
        return shortage.map { End(status: .exited(0), words: "", shortage: $0) }
    }

    /// Makes ``end`` report a shortage, too.
    func tell(of shortage: SandboxShortage) { state.withLock { $0.shortage = shortage } }

    /// Kills the program at once.
    func kill() {
        state.withLock { if !$0.isClosed { shutdown(keeper.rawValue, Int32(SHUT_WR)) } }
    }

    /// The thread's work: reads the program's standard error, then how it ended.
    private func run() {
        var words: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1024)
        while let count = try? unsafe bytes.withUnsafeMutableBytes({ try unsafe errors.read(into: $0) }), count > 0 {
            words = (words + bytes[..<count]).suffix(Self.mostWords)
        }
        try? errors.close()
        // A keeper that sends nothing was killed, and the program with it.
        let status = hear()?.value ?? SIGKILL
        state.withLock { state in
            state.isClosed = true
            // Under the lock, so that `kill` never meets another socket of the same number.
            try? keeper.close()
        }
        ended.open(End(status: .init(waitStatus: status), words: String(decoding: words, as: UTF8.self)))
    }
}

/// A resource of which this process has too little to relay a sandbox's connections: they wait, and no program is to
/// blame.
package final class SandboxShortage: Sendable {
    private static let causes: Set<Int32> = [EMFILE, ENFILE, ENOMEM, ENOBUFS]
    /// How long to wait before the next try, in microseconds: 20 ms.
    private static let pause: UInt32 = 20_000
    private let first = Mutex<Errno?>(nil)

    /// The first shortage; `nil` if there was none.
    package var error: Errno? { first.withLock { $0 } }

    init() {}

    /// Records an `errno` that means a shortage, and waits 20 ms; false, at once, for any other.
    package func wait(after error: Int32) -> Bool {
        guard Self.causes.contains(error) else { return false }
        note(error)
        // Only dedicated relay threads call this, never tasks.
        usleep(Self.pause)
        return true
    }

    /// Records a shortage; the first one counts.
    package func note(_ error: Int32) { first.withLock { $0 = $0 ?? Errno(rawValue: error) } }
}
