package import FoundationEssentials
package import SystemPackage

extension FileDescriptor {
    /// Runs `body`, and closes the descriptor if it throws.
    package func closeOnFailure<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            try? close()
            throw error
        }
    }

    /// Passes the rest of a file to `body`, in blocks of at most `size` bytes (default: 4 MiB).
    ///
    /// Throws `Errno.fileTooLarge` above `most` bytes in total (default: no limit).
    package func readBlocks(
        of size: Int = 1 << 22, most: Int64 = .max, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        var block = [UInt8](repeating: 0, count: size)
        var total: Int64 = 0
        while true {
            let count = try block.withUnsafeMutableBytes { try read(into: $0) }
            guard count > 0 else { return }
            total += Int64(count)
            guard total <= most else { throw Errno.fileTooLarge }
            try block.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// The next `count` bytes of a file from an offset on; fewer if it ends before.
    package func bytes(from offset: Int64, count: Int) throws -> Data {
        var bytes = Data(count: count)
        var done = 0
        while done < count {
            let more = try bytes.withUnsafeMutableBytes {
                try read(fromAbsoluteOffset: offset + Int64(done), into: .init(rebasing: $0[done...]))
            }
            guard more > 0 else { break }
            done += more
        }
        bytes.removeLast(count - done)
        return bytes
    }
}
