import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
package import Scenarios
package import SystemPackage

/// A bundle that was read and checked, ready to replay.
package struct FailureBundle: Sendable {
    package let folder: FilePath
    package let record: BundleRecord
    package let scenario: Scenario
    /// Whether this user made it on this machine, and its scenario is unchanged.
    package let isOwn: Bool

    /// The cell that failed.
    package var cell: Cell { scenario.cells[0] }
    /// The command that a replay would run, without secrets.
    package var command: [String] { ClientFiles.command(of: cell, client: client) }
    /// The program that replaced headwind-client; nil if none did.
    package var client: String? { Self.client(scenario, record) }

    /// The most files; no bundle has more.
    private static let mostEntries = 4096
    private static let deepest = 6
    private static let mostRecordBytes = 1 << 20
    private static let mostBytes: Int64 = 1 << 30

    /// Reads a whole bundle, and runs nothing of it.
    ///
    /// A bundle may be from anyone: only regular files of limited sizes are read, links and pipes are refused, and no
    /// path leads out of the bundle except absolute paths of packs. Throws `BundleError`, and `InvalidFiles` for its
    /// scenario.
    package init(reading folder: FilePath) throws {
        self.folder = folder
        try Self.check(folder)
        let record = try BundleRecord(
            json: Data(Self.bytes(BundleRecord.fileName, in: folder, Self.mostRecordBytes)),
            file: folder.appending(BundleRecord.fileName).string)
        let scenarioBytes = try Self.bytes(ScenarioBundle.scenarioFile, in: folder, Self.mostRecordBytes)
        scenario = try ScenarioBundle.read(folder, named: "replay")
        guard scenario.cells.count == 1, scenario.cells[0].schedule != nil else {
            throw BundleError.refused(folder, reason: "its scenario has no fault schedule")
        }
        self.record = record
        isOwn =
            record.origin != nil && Self.isOwned(folder)
            && record.origin == BundleOrigin.of(scenario: scenarioBytes, client: Self.client(scenario, record))
    }

    private static func client(_ scenario: Scenario, _ record: BundleRecord) -> String? {
        scenario.cells[0].workload.isBuiltIn && !record.client.isBuiltIn ? record.client.command.first : nil
    }

    /// Refuses a folder with contents that no bundle has, before reading any of them.
    private static func check(_ folder: FilePath) throws {
        let type: FileType
        do { type = try folder.stat().type } catch { throw BundleError.refused(folder, reason: "\(error)") }
        guard type == .directory else {
            let hint = "it is not a folder; name a folder in 'bundles' of a run's results"
            throw BundleError.refused(folder, reason: hint)
        }
        guard FileManager.default.fileExists(atPath: folder.appending(BundleRecord.fileName).string) else {
            let hint = "it has no \(BundleRecord.fileName); name a folder in 'bundles' of a run's results"
            throw BundleError.refused(folder, reason: hint)
        }
        var (entries, bytes) = (0, Int64(0))
        try walk(folder, depth: 0, &entries, &bytes)
    }

    private static func walk(_ folder: FilePath, depth: Int, _ entries: inout Int, _ bytes: inout Int64) throws {
        guard depth <= deepest else { throw BundleError.refused(folder, reason: "its folders are too deep") }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder.string) } catch {
            throw BundleError.refused(folder, reason: error.systemReason)
        }
        entries += names.count
        guard entries <= mostEntries else {
            throw BundleError.refused(folder, reason: "it holds more than \(mostEntries) files")
        }
        for name in names.sorted() {
            let path = folder.appending(name)
            let status: Stat
            do { status = try path.stat(followTargetSymlink: false) } catch {
                throw BundleError.refused(path, reason: "\(error)")
            }
            switch status.type {
            case .directory: try walk(path, depth: depth + 1, &entries, &bytes)
            case .regular:
                bytes += status.size
                guard bytes <= mostBytes else { throw BundleError.refused(path, reason: "it is larger than 1 GiB") }
            default: throw BundleError.refused(path, reason: "it is a link, a pipe or a device, and bundles have none")
            }
        }
    }

    private static func bytes(_ name: String, in folder: FilePath, _ most: Int) throws -> [UInt8] {
        let path = folder.appending(name)
        do throws(BoundedFile.Failure) {
            let bytes = try BoundedFile.read(path, most: most)
            if bytes.count <= most { return bytes }
        } catch {
            throw BundleError.refused(path, reason: "\(error)")
        }
        throw BundleError.refused(path, reason: "it is larger than \(most) bytes")
    }

    private static func isOwned(_ folder: FilePath) -> Bool {
        [folder, folder.appending(ScenarioBundle.scenarioFile)].allSatisfy { path in
            guard let status = try? path.stat(followTargetSymlink: false) else { return false }
            return status.userID.rawValue == geteuid() && !status.permissions.contains(.otherWrite)
        }
    }
}
