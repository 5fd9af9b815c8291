package import Glibc
package import SystemPackage

/// Threads for blocking work, which must not occupy one of Swift's few cooperative threads.
package enum DedicatedThread {
    private final class Body {
        let name: String?
        let run: @Sendable () -> Void

        init(name: String?, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }

    /// Signals that a thread's own fault raises.
    ///
    /// They stay unblocked: they end the program, and its handlers must see them.
    private static let faults = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

    /// Starts a detached thread.
    ///
    /// It blocks all signals except those of its own faults, so the program's other threads receive them. A write to a
    /// closed socket is an error in it, and no signal. `name` is its name in ps(1), 15 bytes at most (default: the
    /// program's). Throws if the system has no thread left (pthread_create(3)).
    package static func start(
        named name: String? = nil, _ run: @escaping @Sendable () -> Void
    ) throws(Errno) {
        pthread_detach(try startToBeJoined(named: name, run))
    }

    /// Starts a thread as ``start(named:_:)`` does, but joinable: the caller must call pthread_join(3).
    package static func startToBeJoined(
        named name: String? = nil, _ run: @escaping @Sendable () -> Void
    ) throws(Errno) -> pthread_t {
        var thread = pthread_t()
        // pthread_create takes a C function and a pointer. The pointer owns the object, and the thread takes it over.
        let body = unsafe Unmanaged.passRetained(Body(name: name, run))
        let failure = unsafe pthread_create(
            &thread, nil,
            { body in
                guard let body = unsafe body else { return nil }
                DedicatedThread.enter(unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue())
                return nil
            }, body.toOpaque())
        guard failure == 0 else {
            unsafe body.release()
            throw Errno(rawValue: failure)
        }
        return thread
    }

    private static func enter(_ body: Body) {
        var others = sigset_t()
        unsafe sigfillset(&others)
        for fault in faults { unsafe sigdelset(&others, fault) }
        unsafe pthread_sigmask(SIG_SETMASK, &others, nil)
        if let name = body.name { take(name) }
        body.run()
    }

    /// Names the calling thread, and ignores a failure; see proc(5), comm.
    private static func take(_ name: String) {
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.utf8.count)
        close(file)
    }
}
