extension LinkConditions {
    /// Bytes that the kernel's token bucket sends at once after a pause: two packets, or 1 ms of the rate if that is
    /// more.
    ///
    /// 0 without a rate. The model sends no such burst.
    package func bucketBytes(_ direction: Direction) -> Int64 {
        guard let rate = self[direction].rate else { return 0 }
        return max(2 * Int64(mtu), rate.bitsPerSecond / 8000)
    }
}
