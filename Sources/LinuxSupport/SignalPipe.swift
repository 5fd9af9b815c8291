package import Glibc
import Synchronization
import SystemPackage

/// Signals as bytes that a thread reads, where their handlers may do next to nothing.
///
/// There is one in a process; its two descriptors stay open, as a handler may still run in another thread.
package final class SignalPipe: Sendable {
    package struct Signal: Equatable, Sendable {
        package let number: Int32
        /// Whether a process has sent it, and no terminal.
        package let isSentByProcess: Bool

        package init(number: Int32, isSentByProcess: Bool) {
            self.number = number
            self.isSentByProcess = isSentByProcess
        }
    }

    /// Within this a signal of the same kind is the same: timeout(1) sends its own to a command, and to the command's group.
    package static let echo = Duration.milliseconds(500)

    private static let writing = Atomic<Int32>(-1)

    /// Those that were ignored before.
    package let ignored: Set<Int32>
    private let reading: FileDescriptor
    private let before: [(number: Int32, action: sigaction)]

    /// Collects these signals from now on.
    package init(_ numbers: [Int32]) throws {
        let pipe = try FileDescriptor.pipe()
        for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, O_NONBLOCK)
        reading = pipe.readEnd
        Self.writing.store(pipe.writeEnd.rawValue, ordering: .sequentiallyConsistent)
        before = numbers.map { ($0, Self.collect($0)) }
        ignored = Set(before.filter(\.action.isIgnored).map(\.number))
    }

    /// Has signals do what they did before.
    package func restore() {
        for (number, action) in before {
            var action = action
            unsafe sigaction(number, &action, nil)
        }
    }

    /// Waits for signals for so long at most; none where none has come.
    package func wait(atMost time: Duration) -> [Signal] {
        var event = pollfd(fd: reading.rawValue, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: max(0, Int64((time / .milliseconds(1)).rounded(.up))))
        guard unsafe poll(&event, 1, milliseconds) > 0 else { return [] }
        return wait() ?? []
    }

    /// Waits for signals; nil where none can come any more.
    package func wait() -> [Signal]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        guard let count = unsafe try? bytes.withUnsafeMutableBytes({ try unsafe reading.read(into: $0) }), count > 0
        else {
            return nil
        }
        return bytes[..<count].map { Signal(number: Int32($0 & 0x7F), isSentByProcess: $0 & 0x80 != 0) }
    }

    /// Answers what the signal did before.
    private static func collect(_ number: Int32) -> sigaction {
        var action = sigaction()
        action.sa_flags = SA_SIGINFO | SA_RESTART
        // Only what signal-safety(7) allows: a load and write(2).
        unsafe action.__sigaction_handler.sa_sigaction = { number, information, _ in
            let saved = errno
            let isSent = unsafe information.map { unsafe $0.pointee.si_code <= 0 } ?? true
            var byte = UInt8(truncatingIfNeeded: number) | (isSent ? 0x80 : 0)
            _ = unsafe write(SignalPipe.writing.load(ordering: .sequentiallyConsistent), &byte, 1)
            errno = saved
        }
        var before = sigaction()
        unsafe sigaction(number, &action, &before)
        return before
    }
}

extension sigaction {
    /// Whether the signal does nothing, as nohup(1) and a shell's background jobs have it.
    package var isIgnored: Bool {
        // Functions cannot be compared, and SIG_IGN is none: the number 1. See <bits/signum-generic.h>.
        unsafe unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
