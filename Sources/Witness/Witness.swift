/// Measures how much a machine disturbs the programs on it: evidence about the machine, never about the programs.
package enum Witness {
    /// Wakes up every 5 ms, which costs well under a thousandth of a processor.
    private static let thread = WakeThread(period: 5_000_000)

    /// Runs `body`, and returns its result and the noise of the machine meanwhile.
    ///
    /// When this returns or throws, also after cancellation, nothing watches for it any longer; that takes up to
    /// ``period``.
    /// A measure that is not available is `nil`, and no error. Throws what `body` throws.
    package static func observe<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> (result: Result, noise: Noise) {
        try await observe(reading: KernelReading.now, body)
    }

    /// The noise of the machine in successive stretches of `time`, until the iterating task is cancelled.
    package static func stretches(of time: Duration) -> AsyncStream<Noise> {
        AsyncStream(unfolding: {
            let (isWhole, noise) = await observe { (try? await Task.sleep(for: time)) != nil }
            return isWhole ? noise : nil
        })
    }

    static func observe<Result>(
        reading: () -> KernelReading, _ body: () async throws -> Result
    ) async rethrows -> (result: Result, noise: Noise) {
        let listener = thread.listen()
        let start = reading()
        do {
            let result = try await body()
            let end = reading()
            return (result, Noise(from: start, to: end, lateness: await thread.stop(listener)))
        } catch {
            _ = await thread.stop(listener)
            throw error
        }
    }
}
