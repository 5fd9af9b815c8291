import NIOCore

/// What a probe and its server say to each other: a 32-bit big-endian length, and as many bytes.
///
/// A probe begins with a greeting: a byte for the kind, and 64 bits. After an echo's, messages of two 64-bit numbers go to
/// and fro; after the others only payload follows, without lengths.
enum ProbeMessage {
    enum Greeting: Equatable {
        /// Answer messages.
        case echo
        /// Send as many bytes.
        case source(bytes: Int)
        /// Take bytes, and note their arrivals for the upload of that number.
        case sink(upload: UInt64)
    }

    /// A message that is not of the protocol.
    struct Malformed: Error {}

    /// A message of an echo with its length, either way.
    static let echoBytes = 20

    private static let greetingSize = 9
    private static let echoSize = 16

    static func write(_ greeting: Greeting, to buffer: inout ByteBuffer) {
        let (kind, value): (UInt8, UInt64) =
            switch greeting {
            case .echo: (1, 0)
            case .source(let bytes): (2, UInt64(clamping: bytes))
            case .sink(let upload): (3, upload)
            }
        buffer.writeMultipleIntegers(UInt32(greetingSize), kind, value)
    }

    static func writeEcho(_ number: UInt64, _ stamp: Int64, to buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(echoSize), number, stamp)
    }

    /// Takes a greeting from the front of `buffer`; `nil` where it is not whole yet.
    static func readGreeting(from buffer: inout ByteBuffer) throws(Malformed) -> Greeting? {
        guard try isWhole(greetingSize, in: &buffer),
            let (_, kind, value) = buffer.readMultipleIntegers(as: (UInt32, UInt8, UInt64).self)
        else { return nil }
        switch kind {
        case 1: return .echo
        case 2: return .source(bytes: Int(clamping: value))
        case 3: return .sink(upload: value)
        default: throw Malformed()
        }
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
