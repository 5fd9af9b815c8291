import Links
import Scenarios

/// Decides how many attempts of one cell can run at once.
struct RoomForMore: Sendable {
    private let context: CellContext

    init(_ context: CellContext) { self.context = context }

    /// Whether attempts of the cell share nothing that one could spoil for another.
    ///
    /// A command's folder of the user's is shared. So is a host that Headwind did not start, whose answers depend on
    /// its load.
    static func isPossible(for cell: Scenarios.Cell) -> Bool {
        if case .command(let command) = cell.workload, command.directory != nil { return false }
        return cell.content.isOurs
    }

    /// Whether the machine has enough memory and disk space for this many attempts.
    func holds(_ count: Int) -> Bool {
        guard Self.isPossible(for: context.cell) else { return false }
        // An attempt's own file system is in memory.
        if let bytes = context.sandboxConfiguration.storageSize, bytes > Self.mostMemory / Int64(count) { return false }
        let room = ScratchRoom(context)
        // Half is left to other cells, and attempts that run have not used all of their space yet.
        return room.free(room.folder).map { $0 / 2 / Int64(count) >= ScratchRoom.bytes(for: context) } ?? true
    }

    /// The limit in bytes on file systems of all attempts of a cell together.
    private static let mostMemory: Int64 = 1 << 30
}
