import Results
import SystemPackage

extension ResultMerge {
    /// The cells whose attempts are spread over several results, by index, each pooled and judged again.
    ///
    /// Only summaries are kept in memory. Throws ``MergeError/unlike(cell:reason:)``.
    static func pooled(_ parts: [Int: [MergedCell.Part]], of shards: [Shard]) throws -> [(Int, MergedCell)] {
        try parts.sorted { $0.key < $1.key }.stretches(of: 32).flatMap { stretch in
            try stretch.concurrentMap { index, parts in
                Result { (index, MergedCell(try pooled(parts, of: shards), .parts(parts))) }
            }.map { try $0.get() }
        }
    }

    /// One cell of all available attempts.
    static func pooled(_ parts: [MergedCell.Part], of shards: [Shard]) throws -> CellResult {
        let cells = try parts.map { part in
            if case .memory(let cell) = part.cell.source { return cell }
            guard let text = try shards[part.shard].text(of: part.cell) else {
                throw MergeError.changed(shards[part.shard].folder)
            }
            return try RunResult.decode(CellResult.self, text)
        }
        do { return try CellResult.pooled(cells, named: parts.map { shards[$0.shard].name }) } catch {
            throw MergeError.unlike(cell: parts[0].cell.summary.name, reason: error.reason)
        }
    }

    /// The folder with a cell's bundle; for a pooled cell, that of the first part that has the bundle.
    func folder(of cell: CellResult, _ taken: Taken) -> FilePath {
        let parts = taken.cell.parts(in: taken.shard)
        let place = parts.first { part in
            guard let bundle = cell.bundle else { return true }
            return CellFiles.place(bundle, in: CellFiles.bundles, of: shards[part.shard].folder)?.isFolder == true
        }
        return shards[place?.shard ?? taken.shard].folder
    }
}
