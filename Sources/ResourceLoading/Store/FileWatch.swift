import Dispatch
import Synchronization
import SystemPackage

/// Calls soon after the content of a small file has changed, by whomever, until it is cancelled.
///
/// It looks a few times a second, and does not use inotify(7): the end of a process that has a watch there waits until the kernel has put
/// away those of all others, which takes up to half a minute on a busy machine.
final class FileWatch: @unchecked Sendable {
    // Unchecked, because Dispatch does not say of its sources that they may be cancelled on any thread, which is all that
    // is done with this one.
    private let source: any DispatchSourceTimer

    /// Nil where the file cannot be read.
    init?(_ path: FilePath, changed: @escaping @Sendable () -> Void) {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        let content = Content(file)
        let queue = DispatchQueue(label: "headwind.file-watch")
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + Self.period, repeating: Self.period, leeway: Self.leeway)
        source.setEventHandler {
            if content.hasChanged() { changed() }
        }
        source.setCancelHandler { try? file.close() }
        source.resume()
    }

    deinit { cancel() }

    /// Calls no more.
    func cancel() { source.cancel() }

    private static let period = DispatchTimeInterval.milliseconds(150)
    private static let leeway = DispatchTimeInterval.milliseconds(50)
}

/// The first bytes of a file, as they were when somebody last looked.
private final class Content: Sendable {
    private let file: FileDescriptor
    private let known: Mutex<[UInt8]>

    init(_ file: FileDescriptor) {
        self.file = file
        known = Mutex(Self.read(file))
    }

    func hasChanged() -> Bool {
        known.withLock { known in
            let now = Self.read(file)
            defer { known = now }
            return now != known
        }
    }

    /// None where it cannot be read just now.
    private static func read(_ file: FileDescriptor) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = try? unsafe bytes.withUnsafeMutableBytes {
            try unsafe file.read(fromAbsoluteOffset: 0, into: $0)
        }
        return Array(bytes.prefix(count ?? 0))
    }
}
