import NIOCore

/// The protocol between a probe and its server.
///
/// A probe begins with a greeting: a 32-bit big-endian length, and this number of bytes. Then it sends echoes in the
/// same form, which the server answers. After the number of echoes in the greeting, the server sends payload, and reads
/// further bytes as an upload; both have no lengths.
enum ProbeMessage {
    struct Greeting: Equatable {
        /// The number, in the server's table, of the upload that follows the echoes.
        var upload: UInt64
        /// The number of echoes.
        var echoes: Int
        /// The payload that the server sends after the echoes, in bytes.
        var bytes: Int
        /// The payload of one write, in bytes; 0 writes as much as the socket takes.
        var pieceBytes: Int
    }

    /// The error for a message that does not follow the protocol.
    struct Malformed: Error {}

    /// The bytes of an echo or its answer, with the length.
    static let echoBytes = 20

    private static let greetingSize = 32
    private static let echoSize = 16
    private static let mostEchoes = 1000

    static func write(_ greeting: Greeting, to buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(
            UInt32(greetingSize), greeting.upload, UInt64(greeting.echoes), UInt64(greeting.bytes),
            UInt64(greeting.pieceBytes))
    }

    static func writeEcho(_ number: UInt64, _ stamp: Int64, to buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(echoSize), number, stamp)
    }

    /// Takes a greeting from the front of `buffer`; `nil` if it is not yet complete.
    static func readGreeting(from buffer: inout ByteBuffer) throws(Malformed) -> Greeting? {
        guard try isWhole(greetingSize, in: &buffer),
            let (_, upload, echoes, bytes, piece) = buffer.readMultipleIntegers(
                as: (UInt32, UInt64, UInt64, UInt64, UInt64).self)
        else { return nil }
        guard echoes <= UInt64(mostEchoes) else { throw Malformed() }
        return Greeting(
            upload: upload, echoes: Int(echoes), bytes: Int(clamping: bytes), pieceBytes: Int(clamping: piece))
    }

    /// Takes an echo from the front of `buffer`; `nil` if it is not yet complete.
    static func readEcho(from buffer: inout ByteBuffer) throws(Malformed) -> (number: UInt64, stamp: Int64)? {
        guard try isWhole(echoSize, in: &buffer),
            let (_, number, stamp) = buffer.readMultipleIntegers(as: (UInt32, UInt64, Int64).self)
        else { return nil }
        return (number, stamp)
    }

    private static func isWhole(_ size: Int, in buffer: inout ByteBuffer) throws(Malformed) -> Bool {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return false }
        guard length == size else { throw Malformed() }
        return buffer.readableBytes >= 4 + size
    }
}

/// The sizes of a link's packets, from which the bytes of payload on the wire follow.
package struct ProbePacket: Sendable, Equatable {
    /// The payload of a full packet, in bytes.
    package var segmentBytes = 1448
    /// All headers of a packet, in bytes.
    ///
    /// The default is 52: TCP with timestamps over IPv4 (RFC 7323, appendix A).
    package var headerBytes: Int

    /// Packets with a payload of 1448 bytes.
    package init(headerBytes: Int = 52) { self.headerBytes = headerBytes }

    /// Packets that fill an MTU, in bytes with the headers of IP and TCP.
    package init(mtu: Int) {
        self.init()
        segmentBytes = max(1, mtu - headerBytes)
    }

    /// The bytes on the wire of `bytes` that arrived together: in one packet if that can hold them, else in full ones.
    func wireBytes(_ bytes: Int) -> Double {
        bytes <= segmentBytes
            ? Double(bytes + headerBytes)
            : Double(bytes) * Double(segmentBytes + headerBytes) / Double(segmentBytes)
    }
}
