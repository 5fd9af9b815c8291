import Foundation

/// The first bytes of a file, on the disk, with what it takes to go on with them.
final class Part {
    let path: String
    private let note: String
    private let bugs: Bugs
    private let file: Int32
    private(set) var size: Int64 = 0
    private(set) var validator: String?
    private(set) var total: Int64?
    private var held: [[UInt8]] = []

    private struct Note: Codable {
        var validator: String?
        var total: Int64?
    }

    /// Goes on with what is there, if there is a note of what it is.
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

    /// Notes what the bytes are of.
    func begin(validator: String?, total: Int64?) throws {
        (self.validator, self.total) = (validator, total)
        let data = try JSONEncoder().encode(Note(validator: validator, total: total))
        do { try data.write(to: URL(filePath: note)) } catch { throw Self.failure(note, "\(error)") }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = write(file, start, rest.count)
            guard count > 0 else { throw Self.failure(path) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        size += Int64(bytes.count)
        // BUG: every byte stays in memory.
        if bugs.has(.memoryGrows) { for _ in 0..<bugs.copies { held.append(Array(bytes)) } }
    }

    /// Throws away what is there.
    func clear() {
        ftruncate(file, 0)
        (size, validator, total) = (0, nil, nil)
    }

    func remove() { for path in [path, note] { unlink(path) } }

    private static func failure(_ path: String, _ reason: String? = nil) -> Failure {
        let kind: Failure.Kind = errno == ENOSPC ? .noSpace : .unwritable
        return Failure(kind, "'\(path)' cannot be written: \(reason ?? String(cString: strerror(errno))).")
    }
}
