/// Numbers in network byte order (RFC 791, appendix B).
extension Span<UInt8> {
    func word16(_ offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }

    func word32(_ offset: Int) -> UInt32 { UInt32(word16(offset)) << 16 | UInt32(word16(offset + 2)) }

    func word64(_ offset: Int) -> UInt64 { UInt64(word32(offset)) << 32 | UInt64(word32(offset + 4)) }
}
