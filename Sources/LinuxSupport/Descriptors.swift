import Glibc
package import SystemPackage

extension FileDescriptor {
    /// Passes the remaining complete lines of a file to `body`, many at a time, each with its newline.
    ///
    /// A last line without a newline is left out. `most` is the largest number of bytes of a line; a longer one throws
    /// `tooLong`.
    package func readLines(
        most: Int, orThrow tooLong: @autoclosure () -> any Error, _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var begun: [UInt8] = []
        while true {
            let count = try unsafe block.withUnsafeMutableBytes { try unsafe read(into: $0) }
            guard count > 0 else { return }
            begun += block[..<count]
            guard let end = begun.lastIndex(of: 0x0A) else {
                guard begun.count <= most else { throw tooLong() }
                continue
            }
            try body(begun[...end])
            begun.removeSubrange(...end)
        }
    }

    /// Another descriptor for the same file, closed on exec, and never one of the standard three, which spawning
    /// replaces.
    package func duplicatedAboveStandard() throws(Errno) -> FileDescriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: copy)
    }
}

/// A pipe whose ends are closed on exec; neither is one of the standard three descriptors.
package func makePipe() throws(Errno) -> (reading: FileDescriptor, writing: FileDescriptor) {
    let (reading, writing) = try FileDescriptor.pipe(options: .closeOnExec)
    if reading.rawValue > STDERR_FILENO, writing.rawValue > STDERR_FILENO {
        return (reading, writing)
    }
    // A standard stream of the harness was closed, and the pipe took its number.
    defer {
        try? reading.close()
        try? writing.close()
    }
    let moved = try reading.duplicatedAboveStandard()
    do {
        return (moved, try writing.duplicatedAboveStandard())
    } catch {
        try? moved.close()
        throw error
    }
}
