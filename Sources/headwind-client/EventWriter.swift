import Glibc
import LinuxSupport
import OnDemandResources
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

    /// Writes an event.
    ///
    /// After the first failure nothing more is written: a reader must not see gaps.
    func write(_ event: LoaderEvent) {
        var line = event.line
        if case .request(let id, _, _) = event.kind, id.hasPrefix(Device.prefetchPrefix) { line.add("prefetch", true) }
        write(line)
    }

    /// Writes an event that has no further members but those of `fill`.
    func write(_ name: String, _ fill: (inout JSONLine) -> Void) {
        var line = LoaderEvent.line(name, at: MonotonicClock.now)
        fill(&line)
        write(line)
    }

    private func write(_ line: JSONLine) {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.count += 1
            var line = line
            line.add("n", state.count)
            do { try file.writeAll(line.line.utf8) } catch {
                state.failure = error as? Errno ?? .ioError
            }
        }
    }
}
