import LinkModel

extension AttemptLink {
    /// The link by the queues of a sandbox's router.
    init(_ link: KernelSession) {
        self.init(
            events: link.events,
            update: { _ = try await link.update($0) },
            follow: { _ = try await link.set($0, age: $1) },
            release: { _ = try await link.release() },
            // No scenario with it comes so far.
            cut: {},
            check: { try await link.check() },
            close: { try await link.close() })
    }
}
