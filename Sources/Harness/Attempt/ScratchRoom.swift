import Evidence
import FoundationEssentials
import Glibc
import PackFormat
import Results
import Scenarios
import SystemPackage

/// The room on the file system that an attempt's files are on.
///
/// A client that cannot store what it downloads for want of it has done nothing wrong, and has met no expectation either.
struct ScratchRoom: Sendable {
    let folder: FilePath
    /// The free bytes of a folder's file system; nil where it does not tell.
    let free: @Sendable (FilePath) -> Int64?

    /// Between two looks while a client runs.
    private static let period: Duration = .milliseconds(50)

    init(_ context: CellContext) {
        folder = context.runScratch
        free = context.dependencies.freeBytes
    }

    /// Throws ``HarnessError/noRoom(_:_:)`` where there is less than twice what a cell asks for, which is how much a client
    /// takes that unpacks what it downloaded, or where no file may have as many bytes as one pack.
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

    /// The bytes that an attempt may take.
    static func bytes(for context: CellContext) -> Int64 {
        2 * context.cell.askedSizes(context.content).values.reduce(0, +) + AttemptTrace.leastRoomBytes
    }

    /// Runs a client and answers the least room that it ever had.
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

    /// The free bytes of the file system that a folder is on, for a user without privileges.
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
