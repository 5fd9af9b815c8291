/// Runs changes one after the other.
actor Turns {
    private var last: Task<Void, Never>?

    func take<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let before = last
        let turn = Task {
            await before?.value
            return try await body()
        }
        last = Task { _ = await turn.result }
        return try await turn.value
    }
}
