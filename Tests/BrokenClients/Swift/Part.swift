import Foundation

/// The first bytes of a file on disk, with the facts that are needed to resume it.
final class Part {
    let path: String
    private let note: String
    private let bugs: Bugs
    private var file: Int32
    private var left = 0
    private(set) var size: Int64 = 0
    private(set) var validator: String?
    private(set) var total: Int64?
    private var held: [[UInt8]] = []

    private struct Note: Codable {
        var validator: String?
        var total: Int64?
    }

    /// Resumes an existing file, if a note says what it is.
    init(_ path: String, note: String, _ bugs: Bugs) throws {
        (self.path, self.note, self.bugs) = (path, note, bugs)
        let known = FileManager.default.contents(atPath: note).flatMap {
            try? JSONDecoder().decode(Note.self, from: $0)
        }
        (validator, total) = (known?.validator, known?.total)
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (known == nil ? O_TRUNC : 0), 0o644)
        guard file >= 0 else { throw Self.failure(path) }
        size = Int64(lseek(file, 0, SEEK_END))
    }

    deinit { close(file) }

    /// Locks the file.
    ///
    /// Throws if somebody else writes to it.
    func lock() throws {
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw Failure(.unwritable, "Another one downloads it.") }
    }

    /// Records the edition and the size of the file.
    func begin(validator: String?, total: Int64?) throws {
        (self.validator, self.total) = (validator, total)
        let data = try JSONEncoder().encode(Note(validator: validator, total: total))
        do { try data.write(to: URL(filePath: note)) } catch { throw Self.failure(note, "\(error)") }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = write(file, start, rest.count)
            // BUG: counts them as written.
            if count <= 0, bugs.has(.ignoresWriteErrors) { break }
            guard count > 0 else { throw Self.failure(path) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        size += Int64(bytes.count)
        // BUG: every byte stays in memory.
        if bugs.has(.memoryGrows) { for _ in 0..<bugs.copies { held.append(Array(bytes)) } }
    }

    /// Discards all bytes.
    func clear() {
        ftruncate(file, 0)
        (size, validator, total) = (0, nil, nil)
    }

    /// BUG: keeps the part under another name, and begins a new file.
    func setAside() {
        close(file)
        left += 1
        rename(path, "\(path).\(left)")
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        (size, validator, total) = (0, nil, nil)
    }

    /// BUG: removes all matching files of a folder, including files of others.
    static func tidy(_ folder: String, where matches: (String) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where matches(name) { unlink("\(folder)/\(name)") }
    }

    func remove() { for path in [path, note] { unlink(path) } }

    private static func failure(_ path: String, _ reason: String? = nil) -> Failure {
        let kind: Failure.Kind = errno == ENOSPC ? .noSpace : .unwritable
        return Failure(kind, "'\(path)' cannot be written: \(reason ?? String(cString: strerror(errno))).")
    }
}
