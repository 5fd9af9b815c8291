package import CellMessages

/// Whether this machine can have cells.
package enum CellCapability: Sendable, Equatable {
    /// It can; the notes say what cells have to go on without.
    case available(notes: [CellNote])
    /// It does not allow them.
    case refused(CellRefusal)
    /// They cannot be had for another reason.
    case failed(CellError)

    /// Makes a cell and ends it, which takes some hundredths of a second: what a look at the machine's settings would say
    /// could be wrong.
    ///
    /// Throws `CancellationError` only.
    package static func probe(
        _ configuration: CellConfiguration = CellConfiguration()
    ) async throws(CancellationError) -> CellCapability {
        do {
            return try await withCell(configuration) { CellCapability.available(notes: $0.notes) }
        } catch let error as CellError {
            if case .refused(let refusal) = error { return .refused(refusal) }
            return .failed(error)
        } catch {
            throw CancellationError()
        }
    }
}
