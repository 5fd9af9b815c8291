import NIOCore

/// What a probe and its server say to each other.
///
/// A probe begins with a greeting: a 32-bit big-endian length, and that many bytes. Then it sends echoes of the same shape,
/// which the server answers; after as many as the greeting announced the server sends payload, and takes what comes as
/// an upload, both without lengths.
enum ProbeMessage {
    struct Greeting: Equatable {
        /// The upload that follows the echoes, by its number in the server's table.
        var upload: UInt64
        /// How many echoes come first.
        var echoes: Int
        /// Payload that the server sends after them, in bytes.
        var bytes: Int
        /// Payload of one write of it; 0: as much as is taken.
        var pieceBytes: Int
    }

    /// A message that is not of the protocol.
    struct Malformed: Error {}

    /// A message of an echo with its length, either way.
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

    /// Takes a greeting from the front of `buffer`; `nil` where it is not whole yet.
    static func readGreeting(from buffer: inout ByteBuffer) throws(Malformed) -> Greeting? {
        guard try isWhole(greetingSize, in: &buffer),
            let (_, upload, echoes, bytes, piece) = buffer.readMultipleIntegers(
                as: (UInt32, UInt64, UInt64, UInt64, UInt64).self)
        else { return nil }
        guard echoes <= UInt64(mostEchoes) else { throw Malformed() }
        return Greeting(
            upload: upload, echoes: Int(echoes), bytes: Int(clamping: bytes), pieceBytes: Int(clamping: piece))
    }

    /// Takes an echo from the front of `buffer`; `nil` where it is not whole yet.
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

/// What packets of a link are made of: what a byte of payload costs on the wire.
package struct ProbePacket: Sendable, Equatable {
    /// Payload of a full packet, in bytes.
    ///
    /// Default 1448.
    package var segmentBytes: Int
    /// All headers of a packet, in bytes.
    ///
    /// The default is 52: TCP with timestamps over IPv4 (RFC 7323, appendix A).
    package var headerBytes: Int

    /// Packets of that size; see the properties for defaults.
    package init(segmentBytes: Int = 1448, headerBytes: Int = 52) {
        self.segmentBytes = segmentBytes
        self.headerBytes = headerBytes
    }

    /// Packets that fill a link's largest, in bytes with all headers but those of the link itself.
    package init(mtu: Int) {
        self.init()
        segmentBytes = max(1, mtu - headerBytes)
    }

    /// What `bytes` that arrived together took on the wire, in bytes: one packet where one can hold them, else full ones.
    func wireBytes(_ bytes: Int) -> Double {
        bytes <= segmentBytes
            ? Double(bytes + headerBytes)
            : Double(bytes) * Double(segmentBytes + headerBytes) / Double(segmentBytes)
    }
}
