/// The share of a request's bytes that had arrived by a moment.
package struct ArrivedShares {
    private let deliveries: [DeliverySample]
    private let held: Double
    private let total: Double

    /// Nil if the bytes that arrived for it, or its size, are unknown.
    package init?(_ request: RequestObservation) {
        guard let deliveries = request.deliveries, let total = request.totalBytes, total > 0 else { return nil }
        self.deliveries = deliveries
        self.total = Double(total)
        held = Double(request.heldBytes)
    }

    /// The share by a moment, in CLOCK_MONOTONIC nanoseconds: 1 is all.
    package func share(at moment: Int64) -> Double {
        var (low, high) = (0, deliveries.count)
        while low < high {
            let middle = (low + high) / 2
            if deliveries[middle].at <= moment { low = middle + 1 } else { high = middle }
        }
        return (held + (low > 0 ? Double(deliveries[low - 1].totalBytes) : 0)) / total
    }
}
