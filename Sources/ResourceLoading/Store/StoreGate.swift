import SystemPackage

/// The lock under which processes change a store, one after the other; its file counts the changes.
///
/// Threads of one process have to keep each other out themselves.
struct StoreGate: ~Copyable, Sendable {
    /// The highest count that is believed: a file may say anything, and it is counted on from there.
    static let mostChanges: Int64 = 1 << 53

    private let lock: FileLock

    /// Opens the gate of a store.
    init(_ path: FilePath) throws(StoreError) { lock = try FileLock(path) }

    /// Whether the gate is still the one of its name: a reset may have removed it before it was entered.
    var isCurrent: Bool { lock.isCurrent }

    /// Waits for its turn; returns how many changes there have been.
    func enter() -> Int64 {
        lock.lock(.exclusive)
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

    /// Says that something changes, before it does: a process that dies in the middle of it leaves no unseen change.
    func announce(changes: Int64) {
        let text = "\(changes)".utf8
        _ = try? lock.file.writeAll(toAbsoluteOffset: 0, text)
        try? lock.file.resize(to: Int64(text.count))
    }

    /// Lets the next one in; `changes` is what it is to find, nil where there was no change.
    func leave(changes: Int64?) {
        if let changes { announce(changes: changes) }
        lock.unlock()
    }

    /// Looks at what lies behind a gate while it does not change.
    ///
    /// A gate that is not there, or not for this user to open, keeps no process out.
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
