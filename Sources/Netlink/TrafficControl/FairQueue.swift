import CNetlink

/// The parameters of `fq`; absent ones are the kernel's.
package struct FairQueue: Hashable, Sendable {
    /// Packets of all flows.
    package var limit: UInt32?
    /// Packets of one flow.
    package var flowLimit: UInt32?
    /// Whether it keeps senders to the pace that they ask for.
    package var keepsPace: Bool?

    package init(limit: UInt32? = nil, flowLimit: UInt32? = nil, keepsPace: Bool? = nil) {
        (self.limit, self.flowLimit, self.keepsPace) = (limit, flowLimit, keepsPace)
    }

    func addOptions(to attributes: inout NetlinkAttributes) {
        if let limit { attributes.add(Int(TCA_FQ_PLIMIT), limit) }
        if let flowLimit { attributes.add(Int(TCA_FQ_FLOW_PLIMIT), flowLimit) }
        if let keepsPace { attributes.add(Int(TCA_FQ_RATE_ENABLE), UInt32(keepsPace ? 1 : 0)) }
    }
}
