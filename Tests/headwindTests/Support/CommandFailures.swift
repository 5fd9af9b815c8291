@testable import headwind

/// The failure that ends a command; nil if `body` throws nothing, or an error that no command expects.
func commandFailure(of body: () async throws -> Void) async -> CommandFailure? {
    do {
        try await body()
        return nil
    } catch {
        return CommandFailure(telling: error)
    }
}
