/// The result of `body`, after `end`; if `body` throws, its error, whatever `end` does.
package func ending<Value>(
    _ body: () async throws -> Value, with end: () async throws -> Void
) async throws -> Value {
    let value: Value
    do {
        value = try await body()
    } catch {
        try? await end()
        throw error
    }
    try await end()
    return value
}
