import SystemPackage

/// The lock on a store's mark: shared by all who use the store, and exclusive for a process that clears or resets it.
struct StoreLock: ~Copyable, Sendable {
    /// What the mark begins with: a folder without it is no store, and is left alone.
    static let title = "headwind store 1\n"

    private let lock: FileLock
    /// Whether no other process used the store when it was opened.
    let isAlone: Bool

    /// Opens the store whose mark this is, for one's own, if that is possible, or else with others.
    ///
    /// With `isAlone` throws at once where others use it. Throws where the file cannot be opened or written, and where a later
    /// Headwind wrote it.
    init(mark: FilePath, alone: Bool = false) throws(StoreError) {
        let lock = try FileLock(mark)
        let isAlone = try lock.tryLock(.exclusive)
        if !isAlone {
            if alone { throw Self.used(mark) }
            // A process that has it exclusively clears what a crash has left, and lets others in soon.
            lock.lock(.shared)
        }
        // The mark is not written from here on.
        try StoreMark.refuseLater(mark, than: Self.title)
        if isAlone { try Self.write(lock.file, mark) }
        self.lock = lock
        self.isAlone = isAlone
    }

    /// Whether the mark is still the store's: a reset may have removed it before it was locked.
    var isCurrent: Bool { lock.isCurrent }

    private static func write(_ file: FileDescriptor, _ mark: FilePath) throws(StoreError) {
        do {
            try file.resize(to: 0)
            try file.writeAll(toAbsoluteOffset: 0, title.utf8)
        } catch {
            throw StoreError("write", mark, error as? Errno)
        }
    }

    /// Lets others in.
    func share() { lock.lock(.shared) }

    private static func used(_ mark: FilePath) -> StoreError {
        let root = mark.removingLastComponent()
        let users = StoreUser.all(in: StoreLayout(root: root).users).map(\.process).filter { $0 > 0 }.sorted()
        let names = users.map(String.init).joined(separator: ", ")
        let subject = users.isEmpty ? "Another process uses" : "Process \(names) uses"
        return StoreError(
            "lock the store", root, .wouldBlock, detail: "\(subject) this store: end it, or use another folder.")
    }
}
