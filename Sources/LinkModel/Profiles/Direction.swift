/// One of the two directions of a link, as the client sees them.
package enum Direction: String, CaseIterable, Sendable, Codable {
    /// From the host to the client.
    case downlink
    /// From the client to the host.
    case uplink

    package var opposite: Direction { self == .downlink ? .uplink : .downlink }
}
