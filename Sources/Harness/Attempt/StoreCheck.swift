import Evidence
import PackFormat
import Results
import Scenarios
import SystemPackage
import Wording

/// Compares the built-in client's store, after the client has ended, with what the host serves.
///
/// The client may have made anything there. A store with another layout is not judged.
struct StoreCheck {
    let context: CellContext
    let folder: AttemptFolder

    /// The packs in `packs/`, of every bundle, complete or not; nil if unreadable, or if the layout is another.
    func stored() -> [ConductRecord.Stored]? {
        guard case .requests = context.cell.workload, let content = context.content else { return nil }
        var left = Self.mostBytes
        do {
            guard let roots = try roots() else { return nil }
            return try roots.flatMap { root in
                try (folder.deviceNames(root) ?? []).filter { !$0.hasPrefix(".") }.map { name in
                    try stored(root.appending(name), name, content, &left)
                }
            }
        } catch {
            return nil
        }
    }

    /// Why a store was not compared.
    private enum Obstacle: Error { case otherLayout, tooLarge }

    /// The limit on bytes that are compared, 8 GB: some minutes' work.
    private static let mostBytes: Int64 = 8_000_000_000
    private static let mostBundles = 100

    /// The folders that hold packs; nil if the device has other contents but no such folder.
    private func roots() throws -> [FilePath]? {
        let names = try folder.deviceNames(FilePath("")) ?? []
        guard !names.contains("packs") else { return [FilePath("packs")] }
        guard names.contains("bundles") else { return names.isEmpty ? [] : nil }
        let bundles = try folder.deviceNames(FilePath("bundles")) ?? []
        return bundles.prefix(Self.mostBundles).map { FilePath("bundles").appending($0).appending("packs") }
    }

    private func stored(
        _ path: FilePath, _ name: String, _ content: PreparedContent, _ left: inout Int64
    ) throws -> ConductRecord.Stored {
        let editions = ([content] + content.updates).flatMap { version in
            version.site.packs.map { (app: version.appIdentifier($0.identifier), pack: $0) }
        }.filter { Self.isName(name, of: $0.app) }
        guard let last = editions.last else { return .init(String(name.prefix(200))) }
        var problem: Problem?
        var seen: Set<String> = []
        // A pack that an update replaces may stay until it is requested.
        for edition in editions.reversed() where seen.insert(edition.pack.sha256).inserted {
            left -= edition.pack.size
            guard left >= 0 else { throw Obstacle.tooLarge }
            guard let found = try self.problem(path, edition.pack) else {
                return .init(last.app, name: edition.pack.displayName)
            }
            problem = problem ?? found
        }
        return .init(last.app, name: last.pack.displayName, problem: problem?.text, wrongByte: problem?.byte)
    }

    private struct Problem {
        var text: String
        var byte: Int64?
    }

    /// Why the contents at a path are not the pack; nil if they are.
    private func problem(_ path: FilePath, _ pack: ServedPack) throws -> Problem? {
        let names: [String]
        do {
            guard let found = try folder.deviceNames(path) else { return Problem(text: "leads nowhere") }
            names = found.filter { !$0.hasPrefix(".") }
        } catch {
            // The pack may be a file without a folder.
            return difference(path, pack)
        }
        guard !names.isEmpty else { return Problem(text: "is an empty folder") }
        let isWhole = names.prefix(Self.mostBundles).contains { difference(path.appending($0), pack) == nil }
        if isWhole { return nil }
        // URLs of Background Assets have no extension.
        let isArchive = [pack.path, pack.file.string].contains { $0.hasSuffix(".\(Site.packExtension)") }
        guard isArchive else { return difference(path.appending(names[0]), pack) }
        let unlike = try PackArchive.difference(file: pack.file) { name throws(ContainedFile.Fault) in
            try folder.deviceFile(path.pushing(FilePath(name)))
        }
        guard let unlike else { return nil }
        guard unlike.hasFiles else {
            // A client that keeps none of a pack's files by name has its own layout; a single file counts as the pack.
            guard names.count == 1, !isFolder(path.appending(names[0])) else { throw Obstacle.otherLayout }
            return difference(path.appending(names[0]), pack)
        }
        return Problem(text: "its '\(unlike.path.prefix(200))' \(unlike.reason)", byte: unlike.byte)
    }

    private func isFolder(_ path: FilePath) -> Bool { ((try? folder.deviceNames(path)) ?? nil) != nil }

    /// What is wrong with a file that must be the pack as the host serves it; nil if nothing is.
    private func difference(_ path: FilePath, _ pack: ServedPack) -> Problem? {
        do throws(ContainedFile.Fault) {
            let file = try folder.deviceFile(path)
            guard let byte = try file.firstDifference(thenFrom: pack.file) else { return nil }
            return file.size == pack.size
                ? Problem(text: "differs from the pack at byte \(byte)", byte: byte)
                : Problem(text: "has \(file.size) bytes, and not \(pack.size)", byte: byte)
        } catch {
            return Problem(text: error.description)
        }
    }

    /// Whether this is a store's name of a pack: its identifier, percent-encoded, or cut off with a digest at the end.
    private static func isName(_ name: String, of pack: String) -> Bool {
        if name == pack || PercentEncoding.decoded(name) == pack { return true }
        guard name.utf8.count > 160, let digest = name.split(separator: "%").last, digest.utf8.count == 32 else {
            return false
        }
        return Digest.sha256Hex(Array(pack.utf8)).hasPrefix(digest)
    }
}
