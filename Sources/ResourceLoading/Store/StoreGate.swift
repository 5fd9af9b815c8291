import SystemPackage

/// The lock under which processes change a store, one after the other; its file counts the changes.
///
/// Threads of one process must exclude each other by other means.
struct StoreGate: ~Copyable, Sendable {
    /// The highest count that is accepted: a file may hold any number, and counting goes on from there.
    static let mostChanges: Int64 = 1 << 53

    private let lock: FileLock

    /// Opens the gate of a store.
    init(_ path: FilePath) throws(StoreError) { lock = try FileLock(path) }

    /// Whether the path still leads to this gate; a reset may have removed it before it was entered.
    var isCurrent: Bool { lock.isCurrent }

    /// Waits for its turn; returns the number of changes so far, 0 if the file has no valid one.
    func enter() -> Int64 {
        lock.lock(.exclusive)
        return changes
    }

    /// The number of changes that the file has now, whether a process changes something or not; 0 as for ``enter()``.
    var changes: Int64 {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count =
            (try? unsafe bytes.withUnsafeMutableBytes { try unsafe lock.file.read(fromAbsoluteOffset: 0, into: $0) })
            ?? 0
        let digits = bytes[..<count].prefix { (0x30...0x39).contains($0) }
        guard let changes = Int64(String(decoding: digits, as: UTF8.self)), changes <= Self.mostChanges else {
            return 0
        }
        return changes
    }

    /// Records a change before it happens, so that a process that dies during it leaves no unnoticed change.
    func announce(changes: Int64) {
        let text = "\(changes)".utf8
        _ = try? lock.file.writeAll(toAbsoluteOffset: 0, text)
        try? lock.file.resize(to: Int64(text.count))
    }

    /// Lets the next process in; `changes` is the count that it finds, nil if nothing changed.
    func leave(changes: Int64?) {
        if let changes { announce(changes: changes) }
        lock.unlock()
    }

    /// Runs `body` while nothing behind the gate changes.
    ///
    /// Without a gate, or with one that this user may not open, it does not wait.
    static func whileUnchanged<Value, Failure: Error>(
        _ path: FilePath,
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let lock = FileLock(looking: path) else { return try body() }
        lock.lock(.shared)
        defer { lock.unlock() }
        return try body()
    }
}
