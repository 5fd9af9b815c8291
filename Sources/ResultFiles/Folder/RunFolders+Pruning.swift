import FoundationEssentials
import Glibc
import PackFormat
package import SystemPackage

extension RunFolders {
    /// The earlier runs that were removed.
    package struct Pruned: Sendable {
        /// The names of the folders, the oldest first.
        package var names: [String] = []
        package var bytes: Int64 = 0
        /// What could not be removed, and why.
        package var troubles: [String] = []
    }

    /// Removes the oldest runs beyond `count`, or beyond `most` bytes in total; nil: no limit.
    ///
    /// The run at `current` counts, and is never removed.
    package func prune(keeping count: Int?, bytes most: Int64?, sparing current: FilePath) -> Pruned {
        var pruned = Pruned()
        var runs = earlierRuns(sparing: current).map { (path: $0, bytes: Self.size(of: $0)) }
        var total = runs.map(\.bytes).reduce(Self.size(of: current), +)
        while let oldest = runs.first, runs.count + 1 > count ?? .max || total > most ?? .max {
            runs.removeFirst()
            // Subtracted even if the run stays, or if another process removes it: no later run is removed instead.
            total -= oldest.bytes
            do {
                guard try remove(oldest.path) else { continue }
                pruned.bytes += oldest.bytes
                pruned.names.append(oldest.path.lastComponent?.string ?? "")
            } catch {
                pruned.troubles.append("'\(oldest.path)': \(error.systemReason)")
            }
        }
        return pruned
    }

    /// The folders of the earlier runs, the oldest first.
    private func earlierRuns(sparing current: FilePath) -> [FilePath] {
        root.namesInFolder.filter(Self.isRunName).sorted().map { root.appending($0) }.filter { path in
            path.lastComponent != current.lastComponent && Self.isOwn(path, .directory)
                && Self.isOwn(path.appending(ResultsLock.fileName), .regular) && ResultsLock.isMarked(path)
        }
    }

    /// Whether the path has a file of this type, not through a link, that this user owns.
    private static func isOwn(_ path: FilePath, _ type: FileType) -> Bool {
        guard let status = try? path.stat(followTargetSymlink: false) else { return false }
        return status.type == type && status.userID.rawValue == geteuid()
    }

    /// Whether a name has the form that ``begin(at:command:)`` uses.
    static func isRunName(_ name: String) -> Bool {
        let form = "0000-00-00T00-00-00Z-ffff"
        guard name.utf8.count == form.utf8.count else { return false }
        return zip(name.utf8, form.utf8).allSatisfy { byte, sample in
            switch sample {
            case UInt8(ascii: "0"): (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            case UInt8(ascii: "f"): "0123456789abcdef".utf8.contains(byte)
            default: byte == sample
            }
        }
    }

    /// Removes a run's folder; false if the run goes on, `latest` names it, or another process removes it.
    private func remove(_ path: FilePath) throws -> Bool {
        let manager = FileManager.default
        guard let hold = try ResultsLock(ended: path) else { return false }
        return try withExtendedLifetime(hold) {
            let latest = try? manager.destinationOfSymbolicLink(atPath: root.appending(Self.latestName).string)
            guard latest.flatMap({ FilePath($0).lastComponent }) != path.lastComponent else { return false }
            // The mark is removed last: if this process is killed, the next pruning finds the rest.
            for name in try manager.contentsOfDirectory(atPath: path.string) where name != ResultsLock.fileName {
                try manager.removeItem(atPath: path.appending(name).string)
            }
            try manager.removeItem(atPath: path.string)
            return true
        }
    }

    /// The bytes of the regular files in a folder, without following links.
    private static func size(of folder: FilePath, depth: Int = 0) -> Int64 {
        folder.namesInFolder.map { name -> Int64 in
            let path = folder.appending(name)
            guard let status = try? path.stat(followTargetSymlink: false) else { return 0 }
            switch status.type {
            case .regular: return status.size
            case .directory where depth < 16: return size(of: path, depth: depth + 1)
            default: return 0
            }
        }.reduce(0, +)
    }
}
