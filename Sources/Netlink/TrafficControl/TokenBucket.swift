import CNetlink

/// The parameters of `tbf`: a rate, and what may pass at once behind a pause.
///
/// There is no second bucket for a peak rate.
package struct TokenBucket: Hashable, Sendable {
    package var rate: ByteRate
    /// Bytes that may pass at once; no packet can be longer.
    package var burst: UInt32
    /// Room of its FIFO in bytes; in packets where that has been replaced by one of packets.
    package var limit: UInt32

    package init(rate: ByteRate, burst: UInt32, limit: UInt32) {
        (self.rate, self.burst, self.limit) = (rate, burst, limit)
    }

    func addOptions(to attributes: inout NetlinkAttributes) {
        // struct tc_tbf_qopt
        var parameters = rate.specification
        parameters += [UInt8](repeating: 0, count: ByteRate.specificationSize)
        let buffer = SchedulerClock.ticks(bytes: burst, rate: rate.bytesPerSecond)
        for field in [limit, buffer, 0] { parameters.append(native: field) }
        attributes.add(Int(TCA_TBF_PARMS), parameters)
        if let long = rate.long { attributes.add(Int(TCA_TBF_RATE64), long) }
        // In bytes, whatever a tick is; since Linux 3.13.
        attributes.add(Int(TCA_TBF_BURST), burst)
    }
}
