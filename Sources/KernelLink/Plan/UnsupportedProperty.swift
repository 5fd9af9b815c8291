/// A property of a profile that the kernel's queues cannot have.
package struct UnsupportedProperty: Error, Hashable, Sendable, CustomStringConvertible {
    /// Such as "the jitter of the downlink, 3 s".
    package let property: String
    /// Why not.
    package let reason: String

    /// Both, for a sentence that lists several.
    package var clause: String { "\(property) (\(reason))" }

    package var description: String {
        "The kernel backend cannot have \(property): \(reason). The packet backend can: --backend packet."
    }
}
