package import Glibc
package import SystemPackage

/// Threads for work that waits, which must not hold one of Swift's few cooperative threads.
package enum DedicatedThread {
    private final class Body {
        let name: String?
        let run: @Sendable () -> Void

        init(name: String?, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }

    /// What a thread does itself, by a fault: such a signal ends the program, whose handlers are to see it.
    private static let faults = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

    /// Starts a thread that is not joined.
    ///
    /// Signals but those of its own faults are for the program's other threads; to write to a socket that is closed is an
    /// error for it, and no signal. `name` is what ps(1) calls it, 15 bytes at most; by default, as the program. Throws
    /// where the system has no thread left (pthread_create(3)).
    package static func start(
        named name: String? = nil, _ run: @escaping @Sendable () -> Void
    ) throws(Errno) {
        pthread_detach(try startToBeJoined(named: name, run))
    }

    /// Starts a thread as ``start(named:_:)`` does, for pthread_join(3), which has to be called.
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

    /// Names the calling thread, which works as well without; see proc(5), comm.
    private static func take(_ name: String) {
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.utf8.count)
        close(file)
    }
}
