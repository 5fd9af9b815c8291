import FoundationEssentials
import Results
import SystemPackage

/// The texts of the cells of a merged result, in order.
///
/// Each cell is read, and its files are copied, when its turn comes.
final class MergedCells: Sequence, IteratorProtocol {
    /// The error that ended it early; nil if none did.
    private(set) var failure: (any Error)?
    /// The cells that are kept in memory, as they are in the output folder.
    private(set) var kept: [CellResult] = []
    private(set) var files: MergedFiles

    private let merge: ResultMerge
    /// The numbers of the cells that reports include; nil: all.
    private let keeping: Set<Int>?
    private var begun = 0
    private var ready: ArraySlice<Data> = []

    /// How many cells are read at once.
    private static let stretch = 32
    private static let indentation = Data("    ".utf8)

    init(_ merge: ResultMerge, keeping: Set<Int>?, into output: FilePath) {
        (self.merge, self.keeping, files) = (merge, keeping, MergedFiles(output: output))
    }

    func next() -> Data? {
        if ready.isEmpty, failure == nil {
            do { try load() } catch { failure = error }
        }
        return failure == nil ? ready.popFirst() : nil
    }

    private func load() throws {
        let merge = merge
        let numbers = begun..<Swift.min(begun + Self.stretch, merge.taken.count)
        begun = numbers.upperBound
        let keeping = keeping
        let loaded = numbers.concurrentMap { number in
            Result { try Self.load(merge.taken[number], of: merge.shards, keeps: keeping?.contains(number) ?? true) }
        }
        var cells: [(text: Data?, cell: CellResult?)] = []
        for (number, result) in zip(numbers, loaded) {
            let (taken, (text, cell)) = (merge.taken[number], try result.get())
            for part in taken.parts {
                let folder = merge.shards[part.shard].folder
                try files.copy(part.cell.attempts, of: taken.cell.summary.scenario, from: folder)
            }
            let copied = try cell.map { try files.copyBundle(of: $0, from: merge.folder(of: $0, taken)) }
            if let copied, keeping?.contains(number) ?? true { kept.append(copied) }
            cells.append(taken.cell.isWrittenAsItIs ? (text, nil) : (nil, copied))
        }
        ready = try cells.concurrentMap { text, cell in
            Result { try text.map { Self.indentation + $0 } ?? cell?.redacted.json() ?? Data() }
        }.map { try $0.get() }[...]
    }

    /// The text, and the cell if the text is not written unchanged or the cell is kept.
    private static func load(
        _ taken: MergedCell.Part, of shards: [ResultMerge.Shard], keeps: Bool
    ) throws -> (text: Data?, cell: CellResult?) {
        switch taken.cell.source {
        case .memory(let cell): return (nil, cell)
        case .parts(let parts): return (nil, try ResultMerge.pooled(parts, of: shards))
        case .file: break
        }
        let text = try shards[taken.shard].text(of: taken.cell)
        guard let text, keeps || !taken.cell.isWrittenAsItIs else { return (text, nil) }
        return (text, try RunResult.decode(CellResult.self, text))
    }
}
