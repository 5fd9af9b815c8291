import Glibc
import LinuxSupport
import SystemPackage

/// A client's TCP connection: each message follows its length (RFC 1035, 4.2.2).
struct ResolverConnection {
    /// The longest message in bytes: questions are short.
    static let longestMessage = 1024

    let descriptor: FileDescriptor
    /// When the client sent something last.
    private(set) var heard: ContinuousClock.Instant
    private var bytes: [UInt8] = []

    init(_ descriptor: FileDescriptor, at now: ContinuousClock.Instant) {
        self.descriptor = descriptor
        heard = now
    }

    /// Reads and answers the questions that have arrived; false if the connection must be closed.
    mutating func serve(_ table: NameTable, at now: ContinuousClock.Instant) -> Bool {
        var buffer = [UInt8](repeating: 0, count: Self.longestMessage)
        let count = unsafe recv(descriptor.rawValue, &buffer, buffer.count, 0)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        heard = now
        bytes += buffer[..<count]
        while bytes.count >= 2 {
            let length = Int(bytes[0]) << 8 | Int(bytes[1])
            guard length <= Self.longestMessage else { return false }
            guard bytes.count >= 2 + length else { break }
            guard let answer = table.answer(to: bytes[2..<2 + length]) else { return false }
            bytes.removeFirst(2 + length)
            let message = UInt16(answer.count).networkOrder + answer
            // It does not wait for a client that does not read its answers.
            guard unsafe send(descriptor.rawValue, message, message.count, Int32(MSG_NOSIGNAL)) == message.count
            else { return false }
        }
        return true
    }
}
