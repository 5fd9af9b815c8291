/// What a packet carries, and so which of its connection's numbers say where it stands.
///
/// Each kind has a byte line of its own, so that no decision about an acknowledgement touches one about data.
package enum PacketKind: UInt8, Sendable, CaseIterable {
    /// Payload, or the end of it; its place is that of its bytes.
    case data
    /// SYN and SYN-ACK; its place is 0.
    case handshake
    /// A name lookup or its answer; its place is 0.
    case lookup
    /// No payload; its place is a number that grows with what it acknowledges.
    case acknowledgement
    /// RST; its place is 0.
    case reset

    /// What tells the byte lines of one connection apart; part of what makes a run repeatable, so it never changes.
    var salt: UInt64 {
        switch self {
        case .data: 0
        case .handshake: 0x5359_4e
        case .lookup: 0x444e_53
        case .acknowledgement: 0x4143_4b
        case .reset: 0x5253_54
        }
    }
}
