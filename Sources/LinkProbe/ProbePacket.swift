/// What packets of a link are made of: what a byte of payload costs on the wire.
package struct ProbePacket: Sendable, Equatable {
    /// Payload of a full packet, in bytes.
    ///
    /// Default 1448.
    package var segmentBytes: Int
    /// All headers of a packet, in bytes.
    ///
    /// The default is 52: TCP with timestamps over IPv4 (RFC 7323, appendix A).
    package var headerBytes: Int

    /// Packets of that size; see the properties for defaults.
    package init(segmentBytes: Int = 1448, headerBytes: Int = 52) {
        self.segmentBytes = segmentBytes
        self.headerBytes = headerBytes
    }

    /// What `bytes` that arrived together took on the wire, in bytes: one packet where one can hold them, else full ones.
    func wireBytes(_ bytes: Int) -> Double {
        bytes <= segmentBytes
            ? Double(bytes + headerBytes)
            : Double(bytes) * Double(segmentBytes + headerBytes) / Double(segmentBytes)
    }
}
