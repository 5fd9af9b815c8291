import Glibc
package import SystemPackage

/// Threads for work that waits in the kernel, which must not hold one of Swift's few cooperative threads.
package enum DedicatedThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread.
    ///
    /// Throws where the system has no thread left (pthread_create(3)).
    package static func start(_ run: @escaping @Sendable () -> Void) throws(Errno) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread,
            nil,
            { body in
                guard let body = unsafe body else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
                return nil
            },
            body.toOpaque()
        )
        guard failure == 0 else {
            unsafe body.release()
            throw Errno(rawValue: failure)
        }
        pthread_detach(thread)
    }
}
