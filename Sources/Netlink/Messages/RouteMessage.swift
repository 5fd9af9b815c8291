/// A request to the kernel's networking as a value: type, flags, a fixed part that belongs to the type, and attributes.
///
/// See rtnetlink(7).
package struct RouteMessage: Hashable, Sendable {
    /// One of `RTM_…`.
    package let type: UInt16
    /// `NLM_F_…` in addition to those that every request has.
    package let flags: UInt16
    /// The fixed part.
    package let header: [UInt8]
    package var attributes: NetlinkAttributes
    /// Its purpose, for errors.
    package let purpose: RequestPurpose

    package init(
        _ type: Int, flags: Int32 = 0, header: [UInt8], for purpose: RequestPurpose,
        _ attributes: (inout NetlinkAttributes) -> Void = { _ in }
    ) {
        precondition(header.count.isMultiple(of: 4), "a fixed part is padded")
        self.type = UInt16(type)
        self.flags = UInt16(flags)
        self.header = header
        self.purpose = purpose
        self.attributes = NetlinkAttributes()
        attributes(&self.attributes)
    }

    /// The whole message, with 0 as its sequence number and port.
    package var bytes: [UInt8] { bytes(flags: 0, sequence: 0) }

    /// The whole message; `flags` are added to its own.
    func bytes(flags: UInt16, sequence: UInt32) -> [UInt8] {
        let length = Self.headerSize + header.count + attributes.bytes.count
        let start = [UInt8](native: [UInt32(length)]) + [UInt8](native: [type, self.flags | flags])
        // The port is 0: the kernel knows which socket sent it.
        return start + [UInt8](native: [sequence, 0]) + header + attributes.bytes
    }

    static let headerSize = 16
}

/// The purpose of a request, and the part of the kernel that it needs.
package struct RequestPurpose: Hashable, Sendable {
    /// A part of the kernel that may be missing.
    package struct Part: Hashable, Sendable {
        /// Such as "no netem queue discipline".
        package var lack: String
        /// Its module, for modprobe(8).
        package var module: String
        /// Its option of the kernel's configuration.
        package var option: String
    }

    /// Such as "bring up interface veth0", which follows "Could not".
    package var attempt: String
    package var part: Part?

    package init(_ attempt: String, part: Part? = nil) {
        self.attempt = attempt
        self.part = part
    }
}
