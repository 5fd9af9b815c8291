/// One of the two directions of a link, as the client sees them.
///
/// What is asked of it for each packet is inlined into other modules, which the compiler does not do of itself.
@usableFromInline
package enum Direction: String, CaseIterable, Sendable, Codable {
    /// From the host to the client.
    case downlink
    /// From the client to the host.
    case uplink

    @inlinable package var opposite: Direction { self == .downlink ? .uplink : .downlink }

    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.downlink, .downlink), (.uplink, .uplink): true
        default: false
        }
    }
}
