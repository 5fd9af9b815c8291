/// Whole packets of IPv4 (RFC 791) and IPv6 (RFC 8200), which are sent in the name of another end.
package enum InternetPacket {
    /// The RST from `from` that refuses or resets a TCP connection (RFC 9293 §3.5.2).
    ///
    /// `sequence`: the number that `to` expects next (default: 0); `position`: the number up to which the RST
    /// acknowledges, nil (the default) for none.
    package static func reset(
        from: SocketName, to: SocketName, sequence: UInt32 = 0, acknowledging position: UInt32? = nil
    ) -> [UInt8] {
        var segment = from.port.networkOrder + to.port.networkOrder
        segment += sequence.networkOrder + (position ?? 0).networkOrder
        segment += [5 << 4, position == nil ? 4 : 4 | 16, 0, 0, 0, 0, 0, 0]
        return bytes(IPProtocol.tcp, from: from.address, to: to.address, segment, checksumAt: 16)
    }

    /// A packet with this transport protocol and `message`, in which it writes the checksum.
    package static func bytes(
        _ transport: UInt8, from: [UInt8], to: [UInt8], _ message: [UInt8], checksumAt place: Int
    ) -> [UInt8] {
        var pseudo = from + to
        pseudo += UInt32(message.count).networkOrder + UInt32(transport).networkOrder
        // ICMP of IPv4 is the only one without a pseudo-header.
        var checksum = ((transport == IPProtocol.icmp ? [] : pseudo) + message).internetChecksum
        // A UDP checksum of 0 would say that there is none (RFC 768).
        if checksum == 0, transport == IPProtocol.udp { checksum = 0xffff }
        var message = message
        message.replaceSubrange(place..<place + 2, with: checksum.networkOrder)
        guard from.count == 4 else {
            let count = UInt16(truncatingIfNeeded: message.count)
            return [0x60, 0, 0, 0] + count.networkOrder + [transport, 64] + from + to + message
        }
        let count = UInt16(truncatingIfNeeded: 20 + message.count)
        var head = [0x45, 0] + count.networkOrder + [0, 0, 0x40, 0, 64, transport, 0, 0] + from + to
        head.replaceSubrange(10..<12, with: head.internetChecksum.networkOrder)
        return head + message
    }
}

/// Protocol numbers of IANA.
///
/// They are inlined into other modules, because code for each packet uses them; the compiler does not do so by itself.
@usableFromInline
package enum IPProtocol {
    @inlinable package static var icmp: UInt8 { 1 }
    @inlinable package static var tcp: UInt8 { 6 }
    @inlinable package static var udp: UInt8 { 17 }
    @inlinable package static var icmp6: UInt8 { 58 }
}

extension FixedWidthInteger {
    /// The bytes of the number in network order.
    @inlinable package var networkOrder: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (Self.bitWidth - 8 - 8 * $0)) }
    }
}

extension Collection<UInt8> {
    /// The checksum of the Internet protocols (RFC 1071); an odd number of bytes is padded with a zero.
    @inlinable package var internetChecksum: UInt16 {
        var sum: UInt32 = 0
        for (place, byte) in enumerated() { sum += place.isMultiple(of: 2) ? UInt32(byte) << 8 : UInt32(byte) }
        while sum > 0xffff { sum = sum >> 16 + sum & 0xffff }
        return ~UInt16(truncatingIfNeeded: sum)
    }
}
