import Events
import Glibc
import LinuxSupport
import Synchronization
import SystemPackage

/// Writes events, each line with one write(2), so that no line is ever torn or kept in a buffer.
final class EventWriter: Sendable {
    private let file: FileDescriptor
    private let state = Mutex(State())

    private struct State {
        /// Lines written so far.
        var count = 0
        var failure: Errno?
    }

    /// A writer to a descriptor that this process was given; it is left open.
    init(descriptor: Int32) { file = FileDescriptor(rawValue: descriptor) }

    /// Why events were lost; nil if none was.
    var lost: Errno? { state.withLock { $0.failure } }

    /// Writes an event, numbered.
    ///
    /// After the first failure nothing more is written: a reader must not see gaps.
    func write(_ event: ClientEvent) {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.count += 1
            var event = event
            event.n = state.count
            do { try file.writeAll(event.line.utf8) } catch {
                state.failure = error as? Errno ?? .ioError
            }
        }
    }

    /// Writes an event of this moment.
    func write(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) {
        write(ClientEvent(kind, at: MonotonicClock.now, fill))
    }
}
