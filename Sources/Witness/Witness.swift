/// Watches how much a machine disturbs what runs on it: evidence about the machine, never about what ran.
package enum Witness {
    /// How often its thread wakes up: every 5 ms, which costs well under a thousandth of a processor.
    package static let period = Duration.milliseconds(5)

    /// Runs `body`, and says how noisy the machine was meanwhile.
    ///
    /// The thread that watches has ended when this returns or throws, also where the task was cancelled; that takes up to
    /// ``period``. What cannot be watched is `nil` in the result, and no error. Throws what `body` throws.
    package static func observe<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> (result: Result, noise: Noise) {
        try await observe(reading: KernelReading.now, body)
    }

    /// How noisy the machine is, stretch after stretch of that length, for as long as the task that asks is not cancelled.
    package static func stretches(of time: Duration) -> AsyncStream<Noise> {
        AsyncStream(unfolding: {
            let (isWhole, noise) = await observe { (try? await Task.sleep(for: time)) != nil }
            return isWhole ? noise : nil
        })
    }

    static func observe<Result>(
        reading: () -> KernelReading, _ body: () async throws -> Result
    ) async rethrows -> (result: Result, noise: Noise) {
        let thread = WakeThread.start(period: 5_000_000)
        let start = reading()
        do {
            let result = try await body()
            let end = reading()
            let lateness = await thread?.stop() ?? LatenessHistogram()
            return (result, Noise(from: start, to: end, lateness: lateness))
        } catch {
            _ = await thread?.stop()
            throw error
        }
    }
}
