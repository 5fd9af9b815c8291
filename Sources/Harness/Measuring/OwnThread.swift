import Glibc

/// Threads for work that may take for ever, which must not hold one of Swift's few cooperative threads.
enum OwnThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that nobody waits for; false where the system has none left (pthread_create(3)).
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { body in
                guard let body else { return nil }
                Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard failure == 0 else {
            body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
