internal import CLinux
internal import Glibc

/// A pipe by which the kernel moves bytes from one socket to another without a copy in user space (splice(2)).
///
/// The pipe is empty between two calls, so one serves any number of sockets, one after the other.
package final class SplicePipe {
    /// What one call moved.
    package struct Move: Equatable {
        /// Bytes that the destination has taken.
        package var sent = 0
        /// Bytes that left the source and that the destination did not take: ``SplicePipe/takeRest(into:)`` hands them over.
        package var rest = 0
        /// The source has failed, as by an RST; no later read meets its error.
        package var hasFailed = false
    }

    /// Errors that say nothing of a connection: there is nothing to move now, or nothing can be moved so (seccomp(2) may forbid it).
    private static let harmless = [EAGAIN, EINVAL, ENOMEM, ENOBUFS, EPERM, ENOSYS, EOPNOTSUPP]

    /// Pieces that one call moves: a sender of single bytes does not hold up all others.
    private static let mostPieces = 64

    private let reading: CInt
    private let writing: CInt
    /// Bytes that are in the pipe.
    private var held = 0

    /// Bytes that a pipe is asked to hold, and that a piece may have: what users without privileges may have (pipe(7)).
    package static let size = 1 << 20

    /// nil where the process may not open another pipe.
    package init?() {
        var ends: [CInt] = [-1, -1]
        guard unsafe headwind_splice_pipe(&ends, CInt(Self.size)) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(reading)
        Glibc.close(writing)
    }

    /// Moves what `source` has, up to `limit` bytes, in pieces of up to `piece` bytes; never waits.
    ///
    /// It ends early where the source is empty, has ended or has failed, and where the destination takes no more or has failed. An end
    /// stays for those who read next; the error of a socket is taken by the call that meets it (``Move/hasFailed``).
    package func move(from source: CInt, to destination: CInt, limit: Int, piece: Int) -> Move {
        precondition(held == 0, "\(held) bytes of another call are still in the pipe")
        var move = Move()
        for _ in 0..<Self.mostPieces where move.sent < limit {
            let count = headwind_splice(source, writing, min(piece, limit - move.sent))
            guard count > 0 else {
                move.hasFailed = count < 0 && !Self.harmless.contains(errno)
                break
            }
            held = count
            while held > 0 {
                let taken = headwind_splice(reading, destination, held)
                guard taken > 0 else {
                    move.rest = held
                    return move
                }
                held -= taken
                move.sent += taken
            }
        }
        return move
    }

    /// Empties the pipe into `buffer`, which has room for ``Move/rest``; answers how many bytes it wrote.
    package func takeRest(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while held > 0 {
            let read = unsafe Glibc.read(reading, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            precondition(read > 0, "a pipe with \(held) bytes cannot be read")
            held -= read
            count += read
        }
        return count
    }
}
