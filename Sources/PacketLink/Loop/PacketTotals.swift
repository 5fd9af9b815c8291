internal import LinkModel

/// Bytes that were delivered in one direction, of all flows.
struct PacketTotals: Sendable, Hashable {
    /// Of IP packets.
    var wire: Int64 = 0
    /// Payload that receivers have, but for lookups of names: of TCP without gaps, and once.
    var payload: Int64 = 0
}

extension MeterSample<PerDirection<PacketTotals>> {
    /// The same of payload alone.
    var payload: MeterSample<PerDirection<Int64>> { .init(at: at, totals: totals.map(\.payload)) }
}
