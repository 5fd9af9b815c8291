import Dispatch
import Synchronization
import SystemPackage

/// Calls `changed` soon after the content of a small file changes, until it is cancelled.
///
/// It reads the file every 150 ms and does not use inotify(7). A process that has an inotify watch can end only after
/// the kernel has cleaned up the watches of all others. That takes up to half a minute on a busy machine.
final class FileWatch: @unchecked Sendable {
    // Unchecked, because Dispatch does not declare that its sources may be cancelled on any thread. This one is used
    // for nothing else.
    private let source: any DispatchSourceTimer

    /// Starts the watch; nil if the file cannot be read.
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

    /// Ends the watch: no further calls.
    func cancel() { source.cancel() }

    private static let period = DispatchTimeInterval.milliseconds(150)
    private static let leeway = DispatchTimeInterval.milliseconds(50)
}

/// The first bytes of a file, as last read.
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

    /// The first 64 bytes at most; empty if the file cannot be read now.
    private static func read(_ file: FileDescriptor) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = try? unsafe bytes.withUnsafeMutableBytes {
            try unsafe file.read(fromAbsoluteOffset: 0, into: $0)
        }
        return Array(bytes.prefix(count ?? 0))
    }
}
