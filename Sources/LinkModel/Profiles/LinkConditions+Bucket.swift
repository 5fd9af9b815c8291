extension LinkConditions {
    /// Bytes that the kernel's bucket lets pass at once behind a pause, and nothing of the model's does: two packets, or 1 ms
    /// of the rate where that is more; 0 without a rate.
    package func bucketBytes(_ direction: Direction) -> Int64 {
        guard let rate = self[direction].rate else { return 0 }
        return max(2 * Int64(mtu), rate.bitsPerSecond / 8000)
    }
}
