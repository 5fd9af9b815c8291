import Evidence
import FoundationEssentials
import Glibc
import PackFormat
import Results
import Scenarios
import SystemPackage

/// The free space on the file system of an attempt's files.
///
/// A client that cannot store its download for lack of space is not to blame, but meets no expectation either.
struct ScratchRoom: Sendable {
    let folder: FilePath
    /// The free bytes of a folder's file system; nil if it does not say.
    let free: @Sendable (FilePath) -> Int64?

    /// The time between two checks while a client runs.
    private static let period: Duration = .milliseconds(50)

    init(_ context: CellContext) {
        folder = context.runScratch
        free = context.dependencies.freeBytes
    }

    /// Throws ``HarnessError/noRoom(_:_:)`` if there is less space than the attempt may need.
    ///
    /// That is twice the size of the cell's packs, as for a client that unpacks them, and a reserve. It also throws if
    /// the limit on a file's size is below one pack.
    func check(for context: CellContext) throws(HarnessError) {
        let sizes = context.cell.askedSizes(context.content)
        if let limit = Errno.fileSizeLimit, let largest = sizes.values.max(), limit < largest {
            throw .noRoom(folder, "a pack has \(Self.text(largest)). \(Errno.fileTooLarge.systemReason)")
        }
        guard let free = free(folder) else { return }
        let needed = Self.bytes(for: context)
        guard free < needed else { return }
        throw .noRoom(folder, "\(Self.text(free)) are free, and the attempt needs \(Self.text(needed))")
    }

    /// The bytes that an attempt may need.
    static func bytes(for context: CellContext) -> Int64 {
        2 * context.cell.askedSizes(context.content).values.reduce(0, +) + AttemptTrace.leastRoomBytes
    }

    /// Runs a client; returns the least free space while it ran.
    func watch<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> (value: Value, least: Int64?) {
        let watching = Task { [self] in
            var least = free(folder)
            while (try? await Task.sleep(for: Self.period)) != nil { least = Self.lesser(least, free(folder)) }
            return Self.lesser(least, free(folder))
        }
        defer { watching.cancel() }
        let value = try await body()
        watching.cancel()
        return (value, await watching.value)
    }

    /// The free bytes of a folder's file system, for a user without privileges; nil if it does not say.
    ///
    /// See statvfs(3).
    static func freeBytes(_ folder: FilePath) -> Int64? {
        var status = statvfs()
        guard folder.withPlatformString({ statvfs($0, &status) }) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isHuge ? .max : Int64(clamping: bytes)
    }

    private static func lesser(_ first: Int64?, _ second: Int64?) -> Int64? {
        [first, second].compactMap { $0 }.min()
    }

    private static func text(_ bytes: Int64) -> String { Quantity(Double(bytes), .bytes).rounded() }
}

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
