import Glibc
import Synchronization

/// What happens at its time while a program runs: changes of the link, and the end of the program's time.
struct ExecWatch {
    /// What a program has between SIGTERM and SIGKILL.
    private static let grace: Duration = .seconds(5)

    private let changes: Task<Void, any Error>
    private let timeout: Task<Bool, Never>

    init(_ plan: ExecPlan, _ link: LiveLink, kill: @escaping @Sendable (Int32) -> Void) {
        changes = Task { try await link.follow(plan.changes) }
        timeout = Task {
            guard let timeout = plan.timeout, (try? await Task.sleep(for: timeout)) != nil else { return false }
            kill(SIGTERM)
            if (try? await Task.sleep(for: Self.grace)) != nil { kill(SIGKILL) }
            return true
        }
    }

    /// To be called when the program has ended; answers whether that was for the time.
    ///
    /// Throws where the link could not be changed as it was to be.
    func end() async throws -> Bool {
        changes.cancel()
        timeout.cancel()
        do {
            try await changes.value
        } catch is CancellationError {
            // The program ended before all of the changes.
        }
        return await timeout.value
    }
}
