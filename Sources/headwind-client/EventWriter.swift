import Events
import Glibc
import LinuxSupport
import Synchronization
import SystemPackage

/// Writes events, each line with one write(2), so that no line is split or stays in a buffer.
final class EventWriter: Sendable {
    private let file: FileDescriptor
    private let state = Mutex(State())

    private struct State {
        /// The number of lines written so far.
        var count = 0
        var failure: Errno?
    }

    /// A writer to a descriptor that this process inherited; it never closes it.
    init(descriptor: Int32) { file = FileDescriptor(rawValue: descriptor) }

    /// The error that lost events; nil if none were lost.
    var lost: Errno? { state.withLock { $0.failure } }

    /// Writes an event with its number.
    ///
    /// After the first failure it writes nothing more: a reader must not see gaps.
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

    /// Writes an event that happens now.
    func write(_ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void) {
        write(ClientEvent(kind, at: MonotonicClock.now, fill))
    }
}
