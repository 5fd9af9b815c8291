import Links
import Scenarios

/// How many attempts of one cell may go on side by side, for what they share.
struct RoomForMore: Sendable {
    private let context: CellContext

    init(_ context: CellContext) { self.context = context }

    /// Whether attempts of the cell share nothing that one could spoil for another: a folder of the user's, in which a
    /// command runs; somebody else's host, whose answers depend on how many ask.
    static func isPossible(for cell: Scenarios.Cell) -> Bool {
        if case .command(let command) = cell.workload, command.directory != nil { return false }
        return cell.content.isOurs
    }

    /// Whether the machine has room for so many.
    func holds(_ count: Int) -> Bool {
        guard Self.isPossible(for: context.cell) else { return false }
        // A file system of an attempt's own is in memory.
        if let bytes = context.sandboxConfiguration.storageSize, bytes > Self.mostMemory / Int64(count) { return false }
        let room = ScratchRoom(context)
        // Other cells need room too, and those that go on have not taken all of theirs.
        return room.free(room.folder).map { $0 / 2 / Int64(count) >= ScratchRoom.bytes(for: context) } ?? true
    }

    /// Bytes that file systems of attempts of one cell may have in all.
    private static let mostMemory: Int64 = 1 << 30
}
