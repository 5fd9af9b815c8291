package import SandboxMessages

/// Whether this machine can make sandboxes.
package enum SandboxCapability: Sendable, Equatable {
    /// It can; the notes say which features sandboxes lack here.
    case available(notes: [SandboxNote])
    /// It does not allow them.
    case refused(SandboxRefusal)
    /// It cannot for another reason.
    case failed(SandboxError)

    /// Makes a sandbox and ends it, which takes some hundredths of a second.
    ///
    /// Reading the machine's settings instead could give a wrong answer. Throws `CancellationError` only.
    package static func probe(
        _ configuration: SandboxConfiguration = SandboxConfiguration()
    ) async throws(CancellationError) -> SandboxCapability {
        do {
            return try await withSandbox(configuration) { SandboxCapability.available(notes: $0.notes) }
        } catch let error as SandboxError {
            if case .refused(let refusal) = error { return .refused(refusal) }
            return .failed(error)
        } catch {
            throw CancellationError()
        }
    }
}
