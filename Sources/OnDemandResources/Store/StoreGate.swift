import SystemPackage

/// The lock under which processes change a store, one after the other; its file counts the changes.
///
/// Threads of one process have to keep each other out themselves.
struct StoreGate: ~Copyable, Sendable {
    private let lock: FileLock

    /// Opens the gate of a store.
    init(_ path: FilePath) throws(StoreError) { lock = try FileLock(path) }

    /// Waits for its turn; returns how many changes there have been.
    func enter() -> Int64 {
        lock.lock(.exclusive)
        var bytes = [UInt8](repeating: 0, count: 20)
        let count =
            (try? unsafe bytes.withUnsafeMutableBytes { try unsafe lock.file.read(fromAbsoluteOffset: 0, into: $0) })
            ?? 0
        return Int64(String(decoding: bytes[..<count], as: UTF8.self)) ?? 0
    }

    /// Lets the next one in; `changes` is what it is to find, nil where there was no change.
    func leave(changes: Int64?) {
        // A count only grows, so that what is written never is shorter than what was there.
        if let changes { _ = try? lock.file.writeAll(toAbsoluteOffset: 0, "\(changes)".utf8) }
        lock.unlock()
    }
}
