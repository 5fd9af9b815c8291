import Synchronization
import SystemPackage

/// The reading end of a pipe from a program.
///
/// It ends when the pipe is closed, or when the program's guard has ended.
final class PipeReader: Sendable {
    private struct State {
        var descriptor: FileDescriptor?
        /// Whether no program writes any more, even if a process still holds the other end.
        var writersEnded = false
        /// The current wait of the reader.
        var wait: Readiness?
    }

    private let state: Mutex<State>

    /// Takes ownership of a non-blocking descriptor; `nil` for an empty stream.
    init(_ descriptor: FileDescriptor?) {
        state = Mutex(State(descriptor: descriptor))
    }

    /// The next bytes, at most 64 KiB; `nil` at the end.
    ///
    /// Throws `CancellationError` if the task is cancelled.
    func read() async throws -> [UInt8]? {
        while true {
            try Task.checkCancellation()
            switch try attempt() {
            case .bytes(let bytes): return bytes
            case .end: return nil
            case .wait(let readiness, let descriptor): await readiness.wait(for: descriptor)
            }
        }
    }

    /// Makes readers end after the available bytes.
    func endWriters() {
        state.withLock { state in
            state.writersEnded = true
            state.wait?.end()
        }
    }

    /// Closes the pipe.
    ///
    /// Readers end, and a program that still writes gets SIGPIPE.
    func close() {
        endWriters()
        state.withLock { state in
            try? state.descriptor?.close()
            state.descriptor = nil
        }
    }

    private enum Attempt {
        case bytes([UInt8])
        case end
        case wait(Readiness, for: FileDescriptor)
    }

    private func attempt() throws(Errno) -> Attempt {
        try state.withLock { state throws(Errno) in
            guard let descriptor = state.descriptor else { return .end }
            guard let bytes = try descriptor.readAvailable(64 << 10) else {
                if state.writersEnded { return .end }
                let readiness = Readiness()
                state.wait = readiness
                return .wait(readiness, for: descriptor)
            }
            return bytes.isEmpty ? .end : .bytes(bytes)
        }
    }
}
