package import Testbed

/// What this machine's kernel offers for links.
package struct KernelCapability: Sendable {
    /// Whether this machine can make sandboxes with a router.
    package var sandbox: SandboxCapability
    /// The parts of its traffic control; nil if there is no sandbox to try them in.
    package var parts: [KernelPart]?

    package init(sandbox: SandboxCapability, parts: [KernelPart]?) { (self.sandbox, self.parts) = (sandbox, parts) }

    /// Tries all parts in a temporary sandbox.
    ///
    /// Throws `CancellationError` only.
    package static func probe() async throws -> KernelCapability {
        var configuration = SandboxConfiguration()
        configuration.link = .router
        do {
            return try await withSandbox(configuration) { sandbox in
                KernelCapability(
                    sandbox: .available(notes: sandbox.notes), parts: try await KernelPart.probe(in: sandbox))
            }
        } catch let error as SandboxError {
            // Another kind of sandbox may work here, and can still show the parts one by one.
            if case .refused(let refusal) = error {
                return KernelCapability(sandbox: .refused(refusal), parts: try? await KernelPart.probe())
            }
            return KernelCapability(sandbox: .failed(error), parts: nil)
        } catch let error as CancellationError {
            throw error
        } catch {
            return KernelCapability(
                sandbox: .failed(.misunderstood("The kernel's traffic control could not be tested: \(error)")),
                parts: nil)
        }
    }
}
