import LinkModel

/// Blocks of a pcapng file, in the byte order of this section, which is little-endian (draft-ietf-opsawg-pcapng).
enum PcapngBlocks {
    /// Interfaces are numbered by this order.
    static let ends: [End] = [.client, .host]

    private enum Option {
        static let comment: UInt16 = 1
        static let packetFlags: UInt16 = 2
        static let name: UInt16 = 2
        static let application: UInt16 = 4
        static let received: UInt16 = 4
        static let missed: UInt16 = 5
        static let resolution: UInt16 = 9
    }

    /// IP packets without a frame around them.
    private static let rawLinkType: UInt16 = 101

    /// What a file starts with: a section header, and an interface for each end, with times in nanoseconds.
    static var head: [UInt8] {
        var bytes = block(0x0a0d_0d0a, word(UInt32(0x1a2b_3c4d)) + [1, 0, 0, 0] + word(UInt64.max)) { options in
            options += option(Option.application, Array("headwind".utf8))
        }
        for end in ends {
            bytes += block(1, [UInt8(rawLinkType), 0, 0, 0] + word(UInt32(0))) { options in
                options += option(Option.name, Array(end.rawValue.utf8))
                options += option(Option.resolution, [9])
            }
        }
        return bytes
    }

    /// What comes before a packet's bytes in its block, and behind them.
    static func packet(
        length: Int, at end: End, isInbound: Bool, nanoseconds: UInt64, comment: String?
    ) -> (before: [UInt8], after: [UInt8]) {
        var options: [UInt8] = []
        if let comment { options += option(Option.comment, Array(comment.utf8)) }
        options += option(Option.packetFlags, word(UInt32(isInbound ? 1 : 2)))
        options += [0, 0, 0, 0]
        let padding = (4 - length % 4) % 4
        let total = UInt32(32 + length + padding + options.count)
        let before =
            word(UInt32(6)) + word(total) + word(number(of: end)) + time(nanoseconds) + word(UInt32(length))
            + word(UInt32(length))
        return (before, [UInt8](repeating: 0, count: padding) + options + word(total))
    }

    /// How many packets of an interface there were, and how many of them are not in the file.
    static func statistics(of end: End, received: Int, missed: Int, nanoseconds: UInt64) -> [UInt8] {
        block(5, word(number(of: end)) + time(nanoseconds)) { options in
            options += option(Option.received, word(UInt64(received)))
            options += option(Option.missed, word(UInt64(missed)))
        }
    }

    private static func number(of end: End) -> UInt32 { UInt32(ends.firstIndex(of: end) ?? 0) }

    private static func block(_ type: UInt32, _ body: [UInt8], _ addOptions: (inout [UInt8]) -> Void) -> [UInt8] {
        var options: [UInt8] = []
        addOptions(&options)
        options += [0, 0, 0, 0]
        let total = word(UInt32(12 + body.count + options.count))
        return word(type) + total + body + options + total
    }

    private static func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        let length = UInt16(value.count)
        let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        return [UInt8(code & 255), UInt8(code >> 8), UInt8(length & 255), UInt8(length >> 8)] + value + padding
    }

    private static func time(_ nanoseconds: UInt64) -> [UInt8] {
        word(UInt32(nanoseconds >> 32)) + word(UInt32(truncatingIfNeeded: nanoseconds))
    }

    private static func word(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
