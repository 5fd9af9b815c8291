internal import CLinux
internal import Glibc

/// A pipe through which the kernel moves bytes from one socket to another without a copy in user space (splice(2)).
///
/// It is empty between two calls of ``move(from:to:limit:piece:)``, so one pipe serves many sockets in turn.
package final class SplicePipe {
    /// The result of one call.
    package struct Move: Equatable {
        /// Bytes that the destination accepted.
        package var sent = 0
        /// Bytes that left the source, but that the destination did not accept: read them with
        /// ``SplicePipe/takeRest(into:)``.
        package var rest = 0
        /// Whether the source has failed, as after an RST; no later read reports the error.
        package var hasFailed = false
    }

    /// Errors that do not mean that the connection failed.
    ///
    /// Either there is nothing to move now, or splice(2) is not possible, as seccomp(2) may forbid it.
    private static let harmless = [EAGAIN, EINVAL, ENOMEM, ENOBUFS, EPERM, ENOSYS, EOPNOTSUPP]

    /// The most pieces that one call moves, so that a sender of single bytes does not delay all others.
    private static let mostPieces = 64

    private let reading: CInt
    private let writing: CInt
    /// Bytes that are in the pipe.
    private var held = 0

    /// The requested capacity of the pipe in bytes, and the largest piece: 1 MiB, the limit for users without
    /// privileges.
    ///
    /// See pipe(7).
    package static let size = 1 << 20

    /// nil if the process cannot open another pipe.
    package init?() {
        var ends: [CInt] = [-1, -1]
        guard unsafe headwind_splice_pipe(&ends, CInt(Self.size)) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(reading)
        Glibc.close(writing)
    }

    /// Moves the available bytes of `source`, up to `limit`, in pieces of up to `piece` bytes; never waits.
    ///
    /// It stops early if the source is empty, has ended or has failed, or if the destination accepts no more or has
    /// failed. The next read sees an end again. A socket reports an error once, to the call that meets it: see
    /// ``Move/hasFailed``.
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

    /// Empties the pipe into `buffer`, which has room for ``Move/rest``; returns the number of bytes.
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
