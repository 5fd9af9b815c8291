/// What the kernel tells of one thing that was asked for.
package struct RouteReply: Sendable {
    /// One of `RTM_…`.
    package let type: UInt16
    /// The fixed part and the attributes.
    package let body: ReceivedBytes

    /// The attributes behind a fixed part of so many bytes.
    package func attributes(after size: Int) -> ReceivedAttributes { ReceivedAttributes(body.dropFirst(size)) }
}
