import FoundationEssentials
import Glibc
import SystemPackage

/// One process's entry among those that use a store: a file that it keeps locked, with its claims in it.
///
/// The lock ends with the process, however that ends, and with it what the process held.
struct StoreUser: ~Copyable, Sendable {
    private let lock: FileLock
    private let path: FilePath

    /// Enters this process; the caller is inside of the store's gate, so nobody takes the new file for a dead one's.
    init(in folder: FilePath) throws(StoreError) {
        path = folder.appending("\(getpid()).\(Monotonic.now())")
        lock = try FileLock(path)
        lock.lock(.exclusive)
        write(StoreClaims(process: Int(getpid())))
    }

    deinit { try? FileSystem.remove(path) }

    /// Replaces the claims; the caller is inside of the store's gate.
    func write(_ claims: StoreClaims) {
        guard let bytes = try? JSONEncoder().encode(claims) else {
            preconditionFailure("claims of texts and numbers can always be encoded")
        }
        _ = try? lock.file.writeAll(toAbsoluteOffset: 0, bytes)
        try? lock.file.resize(to: Int64(bytes.count))
    }

    /// The claims of the processes that live, this one left out.
    func others() -> [StoreClaims] { Self.all(in: path.removingLastComponent(), except: path, cleaning: true) }

    /// The claims of the processes that live; `cleaning` removes what dead ones left.
    static func all(in folder: FilePath, except own: FilePath? = nil, cleaning: Bool = false) -> [StoreClaims] {
        let entries = ((try? FileSystem.entries(of: folder)) ?? []).map { folder.appending($0) }
        return entries.filter { $0 != own }.compactMap { path in
            guard FileLock.isHeld(path) else {
                if cleaning { try? FileSystem.remove(path) }
                return nil
            }
            guard let bytes = FileSystem.contents(of: path, limit: 16 << 20) else { return nil }
            return try? JSONDecoder().decode(StoreClaims.self, from: Data(bytes))
        }
    }
}
