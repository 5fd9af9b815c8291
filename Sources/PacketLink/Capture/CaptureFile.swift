internal import LinkModel
package import SystemPackage

/// A pcapng file that a link has written.
package struct CaptureFile: Sendable {
    package let path: FilePath

    /// The part of a capture that is copied.
    package enum Content: Sendable, Hashable {
        /// The heads of packets, without payload and without secrets.
        case withoutPayload
        /// All of it, plus these secrets of TLS, as lines of a key log (draft-ietf-tls-keylogfile).
        case withSecrets([UInt8])
    }

    /// The error for a file that is no capture of a link.
    package struct Malformed: Error, CustomStringConvertible {
        let path: FilePath
        package var description: String { "'\(path)' is not a capture that a link has recorded." }
    }

    package init(_ path: FilePath) { self.path = path }

    private static let mostBlock = 1 << 20

    /// Writes a copy, readable by this user only, to a new file.
    ///
    /// Secrets come before all packets, as some readers read the file only once. Throws `Errno` if a file operation
    /// fails or `target` exists, and ``Malformed`` if this is no capture.
    package func copy(to target: FilePath, _ content: Content) throws {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let source = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        try source.closeAfter {
            guard source.fileType == .regular else { throw Malformed(path: path) }
            let copy = try FileDescriptor.open(
                target, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: [.ownerReadWrite])
            try copy.closeAfter { try write(source, to: copy, content) }
        }
    }

    private func write(_ source: FileDescriptor, to copy: FileDescriptor, _ content: Content) throws {
        var reader = BlockReader(source)
        var buffer: [UInt8] = []
        var hasSecrets = false
        while let block = try reader.next(most: Self.mostBlock, or: Malformed(path: path)) {
            let type = UInt32(littleEndian: block)
            if type == PcapngBlocks.BlockType.packet {
                if case .withSecrets(let lines) = content, !hasSecrets, !lines.isEmpty {
                    buffer += PcapngBlocks.secrets(lines)
                    hasSecrets = true
                }
                guard let kept = content == .withoutPayload ? PcapngBlocks.withoutPayload(block) : block else {
                    throw Malformed(path: path)
                }
                buffer += kept
            } else if type != PcapngBlocks.BlockType.secrets || content != .withoutPayload {
                buffer += block
            }
            if buffer.count > Self.mostBlock {
                try copy.writeAll(buffer)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try copy.writeAll(buffer)
    }
}

/// Reads a file block by block.
private struct BlockReader {
    private let file: FileDescriptor
    private var bytes: [UInt8] = []
    private var start = 0
    private var hasEnded = false

    init(_ file: FileDescriptor) { self.file = file }

    /// The next whole block; nil at the end of the file.
    mutating func next(most: Int, or malformed: CaptureFile.Malformed) throws -> [UInt8]? {
        try fill(12)
        if start == bytes.count { return nil }
        guard bytes.count - start >= 12 else { throw malformed }
        let length = Int(UInt32(littleEndian: bytes[(start + 4)...]))
        guard (12...most).contains(length), length % 4 == 0 else { throw malformed }
        try fill(length)
        guard bytes.count - start >= length else { throw malformed }
        defer { start += length }
        return Array(bytes[start..<start + length])
    }

    /// Reads until `count` bytes are available, or the file ends.
    private mutating func fill(_ count: Int) throws {
        guard bytes.count - start < count, !hasEnded else { return }
        bytes.removeFirst(start)
        start = 0
        while bytes.count < count, !hasEnded {
            var chunk = [UInt8](repeating: 0, count: 256 << 10)
            let read = try unsafe chunk.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            hasEnded = read == 0
            bytes += chunk[..<read]
        }
    }
}

extension UInt32 {
    /// The number in the first four bytes, the lowest byte first.
    fileprivate init(littleEndian bytes: some Collection<UInt8>) {
        self = bytes.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }
}

extension FileDescriptor {
    /// What it is: a regular file, a pipe, a device or another kind of file; nil if that is not known.
    var fileType: FileType? { (try? stat())?.type }
}
