import SystemPackage

/// The lock on a store's mark: shared by all processes that use the store, exclusive for one that clears or resets it.
struct StoreLock: ~Copyable, Sendable {
    /// The beginning of the mark; a folder without a mark is not a store and is left alone.
    static let title = "headwind store 1\n"

    private let lock: FileLock
    /// Whether no other process used the store when it was opened.
    let isAlone: Bool

    /// Opens the store that has this mark, exclusively if possible, else together with other processes.
    ///
    /// With `alone` (default: false) it throws at once if others use the store. Throws also if the file cannot be
    /// opened or written, and if a later version of Headwind wrote it.
    init(mark: FilePath, alone: Bool = false) throws(StoreError) {
        let lock = try FileLock(mark)
        let isAlone = try lock.tryLock(.exclusive)
        if !isAlone {
            if alone { throw Self.used(mark) }
            // A process that has the exclusive lock clears what a crash has left, and soon lets others in.
            lock.lock(.shared)
        }
        // No other process writes the mark while this lock is held.
        try StoreMark.refuseLater(mark, than: Self.title)
        if isAlone { try Self.write(lock.file, mark) }
        self.lock = lock
        self.isAlone = isAlone
    }

    /// Whether the path still leads to this mark; a reset may have removed it before it was locked.
    var isCurrent: Bool { lock.isCurrent }

    private static func write(_ file: FileDescriptor, _ mark: FilePath) throws(StoreError) {
        do {
            try file.resize(to: 0)
            try file.writeAll(toAbsoluteOffset: 0, title.utf8)
        } catch {
            throw StoreError("write", mark, error as? Errno)
        }
    }

    /// Shares the lock, so that other processes can use the store.
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

/// Checks which version of Headwind wrote the mark of a store or device.
enum StoreMark {
    /// Throws if the mark is like the title but has a larger number: a later version may use the folder differently.
    ///
    /// `title` is what this version writes: words, a number, and a line end.
    static func refuseLater(_ mark: FilePath, than title: String) throws(StoreError) {
        guard let bytes = FileSystem.contents(of: mark, limit: 4096) else { return }
        let (known, found) = (parts(of: title), parts(of: String(decoding: bytes, as: UTF8.self)))
        guard let known, let found, known.words == found.words, found.number > known.number else { return }
        let detail =
            "A later Headwind wrote it, in version \(found.number); this Headwind reads version \(known.number). "
            + "Use the Headwind that wrote it, or name another folder."
        throw StoreError("use", mark, nil, detail: detail)
    }

    /// The words of a title's first line and the number at its end; nil if there is no number.
    private static func parts(of title: String) -> (words: Substring, number: Int)? {
        let line = title.prefix { $0 != "\n" }
        guard let blank = line.lastIndex(of: " "), let number = Int(line[line.index(after: blank)...]) else {
            return nil
        }
        return (line[..<blank], number)
    }
}
