import Glibc

/// Threads for work that may take for ever, which must not hold one of Swift's few cooperative threads.
package enum OwnThread {
    /// There was no thread left for what needs one.
    package struct Shortage: Error, CustomStringConvertible {
        let work: String

        /// `work` is what was to be done, as in "hear signals".
        package init(work: String) { self.work = work }

        package var description: String {
            "There is no thread left to \(work): this machine allows no more. 'ulimit -u' shows how many; end other programs, or raise it."
        }
    }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that nobody waits for; false where the system has none left (pthread_create(3)).
    package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
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
