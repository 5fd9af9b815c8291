import Foundation

/// A zip file whose entries are stored, as Xcode and Headwind write them.
struct Archive {
    private let file: FileHandle

    private struct Entry {
        var name: String
        var size: Int
        var place: UInt64
    }

    init(_ path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else { throw Self.damage("it cannot be opened") }
        self.file = file
    }

    private static func damage(_ reason: String) -> Failure {
        Failure(.wrongContent, "The archive is damaged: \(reason).")
    }

    /// Writes all of the archive's files into a folder.
    func unpack(into folder: String) throws {
        for entry in try entries() {
            let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
            if entry.name.hasSuffix("/") || ["META-INF", "_CodeSignature"].contains(parts[0]) { continue }
            guard !parts.contains(".."), !entry.name.hasPrefix("/") else {
                throw Self.damage("it leads out of its folder")
            }
            let target = "\(folder)/\(entry.name)"
            let parent = URL(filePath: target).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try copy(entry, to: target)
        }
    }

    private func copy(_ entry: Entry, to target: String) throws {
        let head = try bytes(at: entry.place, 30)
        try file.seek(toOffset: entry.place + 30 + UInt64(head.number(26, 2) + head.number(28, 2)))
        _ = FileManager.default.createFile(atPath: target, contents: nil)
        guard let out = FileHandle(forWritingAtPath: target) else {
            throw Failure(.unwritable, "'\(target)' cannot be made.")
        }
        defer { try? out.close() }
        var left = entry.size
        while left > 0 {
            guard let block = try file.read(upToCount: min(left, 1 << 16)), !block.isEmpty else {
                throw Self.damage("'\(entry.name)' ends early")
            }
            do { try out.write(contentsOf: block) } catch {
                let isFull = "\(error)".contains("No space") || (error as? CocoaError)?.code == .fileWriteOutOfSpace
                throw Failure(isFull ? .noSpace : .unwritable, "'\(target)' cannot be written: \(error)")
            }
            left -= block.count
        }
    }

    /// The directory at the archive's end.
    private func entries() throws -> [Entry] {
        let size = try file.seekToEnd()
        let tail = try bytes(at: size - min(size, 65_557), Int(min(size, 65_557)))
        let mark: [UInt8] = [0x50, 0x4B, 5, 6]
        guard
            let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
                Array(tail[$0..<$0 + 4]) == mark
            })
        else { throw Self.damage("it has no directory") }
        let directory = try bytes(at: UInt64(tail.number(end + 16, 4)), tail.number(end + 12, 4))
        var entries: [Entry] = []
        var place = 0
        while place + 46 <= directory.count {
            let (name, rest) = (
                directory.number(place + 28, 2), directory.number(place + 30, 2) + directory.number(place + 32, 2)
            )
            guard directory.number(place, 4) == 0x0201_4B50, directory.number(place + 10, 2) == 0,
                place + 46 + name <= directory.count
            else { throw Self.damage("its directory is none of stored files") }
            entries.append(
                Entry(
                    name: String(decoding: directory[(place + 46)..<(place + 46 + name)], as: UTF8.self),
                    size: directory.number(place + 24, 4), place: UInt64(directory.number(place + 42, 4))))
            place += 46 + name + rest
        }
        return entries
    }

    private func bytes(at place: UInt64, _ count: Int) throws -> [UInt8] {
        try file.seek(toOffset: place)
        let data = try file.read(upToCount: count) ?? Data()
        guard data.count == count else { throw Self.damage("it ends early") }
        return Array(data)
    }
}

extension [UInt8] {
    /// A number in little-endian bytes, or 0 beyond the end.
    fileprivate func number(_ place: Int, _ count: Int) -> Int {
        guard place >= 0, place + count <= self.count else { return 0 }
        return self[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
