import LinuxSupport

/// A ping to this machine (RFC 792), which pasta does not answer.
enum PingPacket {
    private static let addresses = 12..<20
    private static let station: [UInt8] = [10, 77, 2, 1]

    /// The answer to a client's packet; `nil` unless it is a whole echo request to this machine's address.
    static func answer(to bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 28, bytes[0] >> 4 == 4, bytes[9] == 1, bytes[6] & 0x3f == 0, bytes[7] == 0,
            Array(bytes[16..<20]) == station
        else { return nil }
        let message = Int(bytes[0] & 15) * 4
        guard message >= 20, bytes.count >= message + 8, bytes[message] == 8, bytes[message + 1] == 0 else {
            return nil
        }
        var answer = bytes
        // The header's checksum stays valid: it is a sum, in which the order of the addresses does not matter.
        answer.replaceSubrange(addresses, with: bytes[16..<20] + bytes[12..<16])
        answer[message] = 0
        answer.replaceSubrange(message + 2..<message + 4, with: [0, 0])
        answer.replaceSubrange(message + 2..<message + 4, with: answer[message...].internetChecksum.networkOrder)
        return answer
    }
}
