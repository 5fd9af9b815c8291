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
    private let context: CellContext

    /// The time between two checks while a client runs.
    private static let period: Duration = .milliseconds(50)

    /// The limit in bytes on file systems of all attempts of a cell together.
    private static let mostMemory: Int64 = 1 << 30

    init(_ context: CellContext) { self.context = context }

    private var folder: FilePath { context.runScratch }

    /// The free bytes now; nil if unknown.
    private var free: Int64? { context.dependencies.freeBytes(folder) }

    /// The bytes that an attempt may need.
    private var needed: Int64 {
        2 * context.cell.askedSizes(context.content).values.reduce(0, +) + AttemptTrace.leastRoomBytes
    }

    /// Throws ``HarnessError/noRoom(_:_:)`` if there is less space than the attempt may need.
    ///
    /// That is twice the size of the cell's packs, as for a client that unpacks them, and a reserve. It also throws if
    /// the limit on a file's size is below one pack.
    func check() throws(HarnessError) {
        let sizes = context.cell.askedSizes(context.content)
        if let limit = Errno.fileSizeLimit, let largest = sizes.values.max(), limit < largest {
            throw .noRoom(folder, "a pack has \(Self.text(largest)). \(Errno.fileTooLarge.systemReason)")
        }
        guard let free, free < needed else { return }
        throw .noRoom(folder, "\(Self.text(free)) are free, and the attempt needs \(Self.text(needed))")
    }

    /// Runs a client; returns the least free space while it ran.
    func watch<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> (value: Value, least: Int64?) {
        let watching = Task { [self] in
            var least = free
            while (try? await Task.sleep(for: Self.period)) != nil { least = Self.lesser(least, free) }
            return Self.lesser(least, free)
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

    /// Whether attempts of the cell share nothing that one could spoil for another.
    ///
    /// A command's folder of the user's is shared. So is a host that Headwind did not start, whose answers depend on
    /// its load.
    static func allowsSeveral(of cell: Scenarios.Cell) -> Bool {
        cell.workload.command?.directory == nil && cell.content.isOurs
    }

    /// Whether the machine has enough memory and disk space for this many attempts of the cell at once.
    func holds(_ count: Int) -> Bool {
        guard Self.allowsSeveral(of: context.cell) else { return false }
        // An attempt's own file system is in memory.
        if let bytes = context.sandboxConfiguration.storageSize, bytes > Self.mostMemory / Int64(count) { return false }
        // Half is left to other cells, and attempts that run have not used all of their space yet.
        return free.map { $0 / 2 / Int64(count) >= needed } ?? true
    }
}
