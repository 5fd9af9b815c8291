import Glibc
package import SystemPackage

/// A regular file below a folder with untrusted content, open for reading.
///
/// Opening and reading always end: a pipe or a device is refused at once. Links are followed within the folder, but not
/// out of it.
package struct ContainedFile: ~Copyable {
    /// Why a file was not read, as the end of a sentence: "is a pipe, not a regular file".
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Bytes of the file as it was opened.
    package let size: Int64
    /// The permissions of the file as it was opened: the nine bits of chmod(2).
    package let permissions: UInt32
    private let file: FileDescriptor

    /// Opens the file at `path`; throws if links lead out of `folder`, and for anything but a regular file.
    package init(_ path: FilePath, below folder: FilePath) throws(Fault) {
        let real = try Self.resolve(path, below: folder)
        // Checks the kind before it opens the file: opening a device may have an effect.
        _ = try Self.regular { () throws(Errno) in try real.stat(followTargetSymlink: false) }
        let opened: FileDescriptor
        do {
            opened = try FileDescriptor.open(real, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        } catch {
            throw Fault(description: "could not be opened: \(error)")
        }
        try self.init(opened)
    }

    /// Takes over an open file that was found without leaving its folder; closes it even if this throws.
    package init(_ opened: FileDescriptor) throws(Fault) {
        do throws(Fault) {
            let status = try Self.regular { () throws(Errno) in try opened.stat() }
            (file, size, permissions) = (opened, status.size, status.permissions.rawValue & 0o777)
        } catch {
            try? opened.close()
            throw error
        }
    }

    deinit {
        try? file.close()
    }

    /// The SHA-256 of the content as 64 lowercase hex digits.
    ///
    /// Throws if the file has more bytes than when it was opened, if it cannot be read, and if the task is cancelled.
    package func sha256Hex() throws(Fault) -> String {
        try Self.reading { try Digest.sha256Hex(of: file, most: size) }
    }

    /// What `body` returns; its error becomes the fault that the file could not be read.
    private static func reading<Result>(_ body: () throws -> Result) throws(Fault) -> Result {
        do { return try body() } catch { throw Fault(description: "could not be read: \(error)") }
    }

    /// All bytes of the file; throws if there are more than `most`.
    package func contents(most: Int) throws(Fault) -> [UInt8] {
        guard size <= most else { throw Fault(description: "has \(size) bytes; the limit is \(most)") }
        return try head(Int(size))
    }

    /// The first `count` bytes of the file, or all if it has fewer.
    package func head(_ count: Int) throws(Fault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        return try Self.reading { () throws -> [UInt8] in
            let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe Self.read(file, at: 0, into: $0) }
            return Array(bytes[..<count])
        }
    }

    /// The offset of the first byte that differs from `count` zeros and another file; nil if the content is the same.
    ///
    /// If one side is shorter, its end counts as a difference. Holes in place of zeros are not read. Throws if one of
    /// the files cannot be read, and if the task is cancelled.
    package func firstDifference(fromZeros count: Int64 = 0, thenFrom other: FilePath) throws(Fault) -> Int64? {
        try Self.reading { () throws -> Int64? in
            var place: Int64 = 0
            var block = [UInt8](repeating: 0, count: 1 << 18)
            while place < min(size, count), let data = file.data(from: place, size: min(size, count)) {
                try Task.checkCancellation()
                let most = min(data.count, block.count)
                let found = try unsafe block.withUnsafeMutableBytes {
                    try unsafe Self.read(file, at: data.lowerBound, into: .init(rebasing: $0[..<most]))
                }
                let zeros = block.prefix(found).prefix { $0 == 0 }.count
                if zeros < most { return data.lowerBound + Int64(zeros) }
                place = data.lowerBound + Int64(most)
            }
            if size < count { return size }
            let other = try FileDescriptor.open(other, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try other.closeAfter { try Self.firstDifference(file, other, from: count) }
        }
    }

    /// The offset of the first byte from `place` on that differs from `bytes`, or of an earlier end; nil if none does.
    package func firstDifference(from bytes: ArraySlice<UInt8>, at place: Int64) throws(Fault) -> Int64? {
        try Self.reading { () throws -> Int64? in
            var mine = [UInt8](repeating: 0, count: bytes.count)
            let count = try unsafe mine.withUnsafeMutableBytes { try unsafe Self.read(file, at: place, into: $0) }
            let equal = Self.equalBytes(mine[..<count], bytes)
            return equal == bytes.count ? nil : place + Int64(equal)
        }
    }

    /// The offset in `one` of the first difference, if the content of `other` should be in `one` from `start` on.
    private static func firstDifference(
        _ one: FileDescriptor, _ other: FileDescriptor, from start: Int64
    ) throws -> Int64? {
        var place = start
        var blocks = (mine: [UInt8](repeating: 0, count: 1 << 18), theirs: [UInt8](repeating: 0, count: 1 << 18))
        while true {
            try Task.checkCancellation()
            let mine = try unsafe blocks.mine.withUnsafeMutableBytes { try unsafe read(one, at: place, into: $0) }
            let theirs = try unsafe blocks.theirs.withUnsafeMutableBytes {
                try unsafe read(other, at: place - start, into: $0)
            }
            let equal = equalBytes(blocks.mine[..<mine], blocks.theirs[..<theirs])
            if equal < max(mine, theirs) { return place + Int64(equal) }
            if mine == 0 { return nil }
            place += Int64(mine)
        }
    }

    /// How many bytes are equal at the start of both.
    private static func equalBytes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
        let common = min(one.count, other.count)
        let isEqual = unsafe one.withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { other in
                guard let one = one.baseAddress, let other = other.baseAddress else { return common == 0 }
                return unsafe memcmp(one, other, common) == 0
            }
        }
        return isEqual ? common : zip(one, other).prefix { $0 == $1 }.count
    }

    /// Reads until the buffer is full or the file is at its end.
    static func read(
        _ file: FileDescriptor, at place: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        var count = 0
        while count < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let more = try unsafe file.read(fromAbsoluteOffset: place + Int64(count), into: rest)
            if more == 0 { break }
            count += more
        }
        return count
    }

    /// Why a path below a folder could not be opened.
    package static func reason(_ error: Errno) -> String {
        switch error {
        case .noSuchFileOrDirectory: "does not exist"
        // See openat2(2), RESOLVE_BENEATH.
        case .improperLink: "leads out of its folder"
        default: "could not be opened: \(error)"
        }
    }

    /// The path with all links resolved; throws if it does not end below `folder`.
    package static func resolve(_ path: FilePath, below folder: FilePath) throws(Fault) -> FilePath {
        let (real, root) = (try real(path), try real(folder))
        guard real.starts(with: root), real != root else {
            throw Fault(description: "leads out of its folder")
        }
        return real
    }

    /// Whether two paths lead to the same place.
    package static func isSame(_ path: FilePath, _ other: FilePath) throws(Fault) -> Bool {
        try real(path) == real(other)
    }

    private static func real(_ path: FilePath) throws(Fault) -> FilePath {
        guard let resolved = unsafe realpath(path.string, nil) else {
            throw Fault(description: Self.reason(Errno(rawValue: errno)))
        }
        defer { unsafe free(resolved) }
        return unsafe FilePath(platformString: resolved)
    }

    /// The status that `find` returns; throws if that fails, and for anything but a regular file.
    private static func regular(_ find: () throws(Errno) -> Stat) throws(Fault) -> Stat {
        let status: Stat
        do { status = try find() } catch { throw Fault(description: "could not be opened: \(error)") }
        let kind: String
        switch status.type {
        case .regular: return status
        case .directory: kind = "folder"
        case .fifo: kind = "pipe"
        case .socket: kind = "socket"
        case .symbolicLink: kind = "link"
        default: kind = "device"
        }
        throw Fault(description: "is a \(kind), not a regular file")
    }
}
