import Glibc
import Harness

/// What happens at its time while a program runs: faults of the link, and the end of the program's time.
struct ExecWatch {
    /// What a program has between SIGTERM and SIGKILL.
    private static let grace: Duration = .seconds(5)

    private let timeout: Task<Bool, Never>

    /// The program has started.
    init(_ plan: ExecPlan, _ link: ProgramWatch, kill: @escaping @Sendable (Int32) -> Void) {
        link.start()
        timeout = Task {
            guard let timeout = plan.timeout, (try? await Task.sleep(for: timeout)) != nil else { return false }
            kill(SIGTERM)
            if (try? await Task.sleep(for: Self.grace)) != nil { kill(SIGKILL) }
            return true
        }
    }

    /// To be called when the program has ended; answers whether that was for the time.
    func end() async -> Bool {
        timeout.cancel()
        return await timeout.value
    }
}
