internal import NIOCore

/// Bytes that wait, in order, until the model says that they have arrived.
///
/// Small pieces are merged, so that the memory is little more than the bytes, in whatever pieces a peer sends them.
struct InFlightBytes {
    private var chunks = CircularBuffer<ByteBuffer>()
    private(set) var count = 0

    private static let chunkBytes = 8 * 1024

    var isEmpty: Bool { count == 0 }

    /// Bytes of memory in use.
    var capacity: Int { chunks.reduce(0) { $0 + $1.storageCapacity } }

    mutating func append(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        count += bytes.readableBytes
        if bytes.readableBytes * 2 >= bytes.storageCapacity {
            chunks.append(bytes)
        } else if let last = chunks.indices.last, chunks[last].writableBytes >= bytes.readableBytes {
            chunks[last].writeImmutableBuffer(bytes)
        } else {
            var chunk = ByteBuffer()
            chunk.reserveCapacity(max(Self.chunkBytes, bytes.readableBytes))
            chunk.writeImmutableBuffer(bytes)
            chunks.append(chunk)
        }
    }

    /// Removes and returns the first `wanted` bytes, in order.
    mutating func take(_ wanted: Int) -> [ByteBuffer] {
        precondition(wanted <= count, "\(wanted) bytes have arrived, and only \(count) were sent")
        var pieces: [ByteBuffer] = []
        var missing = wanted
        count -= wanted
        while missing > 0, let first = chunks.indices.first {
            if chunks[first].readableBytes <= missing {
                missing -= chunks[first].readableBytes
                pieces.append(chunks.removeFirst())
            } else if let piece = chunks[first].readSlice(length: missing) {
                missing = 0
                pieces.append(piece)
            }
        }
        return pieces
    }
}
