import Glibc
import Synchronization
import SystemPackage

/// Signals as bytes that a thread reads, where their handlers may do next to nothing.
enum SignalPipe {
    struct Signal: Equatable {
        let number: Int32
        /// Whether a process has sent it, and no terminal.
        let isSentByProcess: Bool
    }

    private static let writing = Atomic<Int32>(-1)

    /// Collects these signals from now on; answers where they are read, which is non-blocking.
    static func open(_ numbers: [Int32]) throws -> FileDescriptor {
        let pipe = try FileDescriptor.pipe()
        for end in [pipe.readEnd, pipe.writeEnd] {
            _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
        }
        writing.store(pipe.writeEnd.rawValue, ordering: .sequentiallyConsistent)
        for number in numbers {
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_RESTART
            // Only what signal-safety(7) allows: a load and write(2).
            action.__sigaction_handler.sa_sigaction = { number, information, _ in
                let saved = errno
                let isSent = information.map { $0.pointee.si_code <= 0 } ?? true
                var byte = UInt8(truncatingIfNeeded: number) | (isSent ? 0x80 : 0)
                _ = write(SignalPipe.writing.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = saved
            }
            sigaction(number, &action, nil)
        }
        return pipe.readEnd
    }

    /// What has come; at most 64 at a time.
    static func read(_ descriptor: FileDescriptor) -> [Signal] {
        var bytes = [UInt8](repeating: 0, count: 64)
        guard let count = try? bytes.withUnsafeMutableBytes({ try descriptor.read(into: $0) }) else { return [] }
        return bytes[..<count].map { Signal(number: Int32($0 & 0x7F), isSentByProcess: $0 & 0x80 != 0) }
    }
}
