package import Glibc
import Synchronization
import SystemPackage

/// A pipe through which a thread reads signals as bytes, because signal handlers may do almost nothing.
///
/// A process has one. Its two descriptors stay open, as a handler may still run in another thread.
package final class SignalPipe: Sendable {
    package struct Signal: Equatable, Sendable {
        package let number: Int32
        /// Whether a process sent it, rather than a terminal.
        package let isSentByProcess: Bool

        package init(number: Int32, isSentByProcess: Bool) {
            self.number = number
            self.isSentByProcess = isSentByProcess
        }
    }

    /// A repeated signal within this time counts as one: timeout(1) signals both a command and the command's group.
    package static let echo = Duration.milliseconds(500)

    private static let writing = Atomic<Int32>(-1)

    /// The numbers of the signals that were ignored before.
    package let ignored: Set<Int32>
    private let reading: FileDescriptor
    private let before: [(number: Int32, action: sigaction)]

    /// Collects these signals from now on; throws if pipe(2) fails.
    package init(_ numbers: [Int32]) throws {
        let pipe = try FileDescriptor.pipe(options: .closeOnExec)
        _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, O_NONBLOCK)
        reading = pipe.readEnd
        Self.writing.store(pipe.writeEnd.rawValue, ordering: .sequentiallyConsistent)
        before = numbers.map { ($0, Self.collect($0)) }
        ignored = Set(before.filter(\.action.isIgnored).map(\.number))
    }

    /// Restores the earlier action of each signal.
    package func restore() {
        for (number, action) in before {
            var action = action
            unsafe sigaction(number, &action, nil)
        }
    }

    /// Waits for signals for at most `time`; empty if none arrived.
    package func wait(atMost time: Duration) -> [Signal] {
        var event = pollfd(fd: reading.rawValue, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: max(0, Int64((time / .milliseconds(1)).rounded(.up))))
        guard unsafe poll(&event, 1, milliseconds) > 0 else { return [] }
        return wait() ?? []
    }

    /// Waits for signals; nil if no more can arrive.
    package func wait() -> [Signal]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        guard let count = unsafe try? bytes.withUnsafeMutableBytes({ try unsafe reading.read(into: $0) }), count > 0
        else {
            return nil
        }
        return bytes[..<count].map { Signal(number: Int32($0 & 0x7F), isSentByProcess: $0 & 0x80 != 0) }
    }

    /// Collects a signal, and returns its earlier action.
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
    /// Whether the signal is ignored, as nohup(1) and a shell's background jobs set it.
    package var isIgnored: Bool {
        // Swift cannot compare functions, and SIG_IGN is the number 1 instead of one. See <bits/signum-generic.h>.
        unsafe unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
