import KernelLink
import LinkModel
import Testbed

/// What this machine's kernel can be a link with.
package struct KernelCapability: Sendable {
    /// Whether there are cells with a router.
    var cell: CellCapability
    /// The parts of its traffic control; nil where there is no cell to try them in.
    var parts: [KernelPart]?

    init(cell: CellCapability, parts: [KernelPart]?) { (self.cell, self.parts) = (cell, parts) }

    /// Tries all of it in a cell of its own, with which everything goes.
    ///
    /// Throws `CancellationError` only.
    package static func probe() async throws -> KernelCapability {
        var configuration = CellConfiguration()
        configuration.link = .router
        do {
            return try await withCell(configuration) { cell in
                KernelCapability(cell: .available(notes: cell.notes), parts: try await KernelPart.probe(in: cell))
            }
        } catch let error as CellError {
            // Where there are cells of another kind, parts can still be told one by one.
            if case .refused(let refusal) = error {
                return KernelCapability(cell: .refused(refusal), parts: try? await KernelPart.probe())
            }
            return KernelCapability(cell: .failed(error), parts: nil)
        } catch let error as CancellationError {
            throw error
        } catch {
            return KernelCapability(
                cell: .failed(.misunderstood("The kernel's traffic control could not be tried: \(error)")), parts: nil)
        }
    }

    /// Why the kernel cannot be this link here, as sentences; nil where it can.
    package func refusal(of setup: KernelSetup) -> String? {
        switch cell {
        case .refused(let refusal): return refusal.description
        case .failed(let error): return error.description
        case .available: break
        }
        let needs = KernelAbilities.needs(setup.foreseen)
        let lacking = (parts ?? []).filter { needs.contains($0.kind) && !$0.isAvailable }
        guard !lacking.isEmpty else { return nil }
        return lacking.map { part in
            let row = KernelPartRow(part)
            return [row.cause, row.remedy].compactMap { $0 }.joined(separator: " ")
        }.joined(separator: " ")
    }
}
