import Glibc

/// A thread for work that waits, which must not hold one of Swift's few cooperative threads.
enum CellThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts one that nobody waits for; answers the `errno` where the system has none left.
    ///
    /// See pthread_create(3).
    static func start(_ run: @escaping @Sendable () -> Void) -> Int32 {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread, nil,
            { body in
                guard let body = unsafe body else { return nil }
                // Signals are for the threads of the program.
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard failure == 0 else {
            unsafe body.release()
            return failure
        }
        pthread_detach(thread)
        return 0
    }
}
