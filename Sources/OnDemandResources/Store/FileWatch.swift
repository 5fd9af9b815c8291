import Dispatch
import Glibc
import SystemPackage

/// Calls whenever a file was written to, by whomever, until it is cancelled; see inotify(7).
final class FileWatch: @unchecked Sendable {
    // Unchecked, because Dispatch does not say of its sources that they may be cancelled on any thread, which is all that
    // is done with this one.
    private let source: any DispatchSourceRead

    /// Nil where the system has no watch left.
    init?(_ path: FilePath, written: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard unsafe inotify_add_watch(descriptor, path.string, UInt32(IN_MODIFY)) >= 0 else {
            close(descriptor)
            return nil
        }
        let queue = DispatchQueue(label: "headwind.file-watch")
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var events = [UInt8](repeating: 0, count: 4096)
            while unsafe read(descriptor, &events, events.count) > 0 {}
            written()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { cancel() }

    /// Calls no more.
    func cancel() { source.cancel() }
}
