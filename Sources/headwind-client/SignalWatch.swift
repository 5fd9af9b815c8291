import Glibc
import OnDemandResources
import Synchronization

/// SIGINT and SIGTERM as an orderly end: the first asks for one, the second does not wait for it.
enum SignalWatch {
    private static let signals = [SIGINT, SIGTERM]

    /// Blocks the signals in this thread and in all that come from it, and ignores SIGPIPE: a reader that is gone is an
    /// error of write(2).
    ///
    /// Must run before there is a second thread.
    static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        var set = watched()
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the signals on a thread of its own.
    ///
    /// `first` gets the status that the process is to exit with.
    static func start(first: @escaping @Sendable (_ status: Int32) -> Void) throws {
        try DedicatedThread.start {
            var isSecond = false
            while true {
                var set = watched()
                var number: Int32 = 0
                guard unsafe sigwait(&set, &number) == 0 else { continue }
                if isSecond { _exit(128 + number) }
                isSecond = true
                first(128 + number)
            }
        }
    }

    private static func watched() -> sigset_t {
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        for signal in signals { _ = unsafe sigaddset(&set, signal) }
        return set
    }
}
