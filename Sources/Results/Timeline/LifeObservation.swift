/// An app's observed use of its resources.
package struct LifeObservation: Hashable, Sendable {
    /// The nanoseconds that each use waited, nil for one whose resources never came; nil if nothing is used.
    package var waits: [Int64?]?
    /// Bytes that came and were of no use; nil if nothing is used.
    package var wastedBytes: Int64?
    /// Bytes that came by each radio; nil if unknown.
    package var wifiBytes: Int64?
    package var cellularBytes: Int64?

    package init(
        waits: [Int64?]? = nil, wastedBytes: Int64? = nil, wifiBytes: Int64? = nil, cellularBytes: Int64? = nil
    ) {
        self.waits = waits
        self.wastedBytes = wastedBytes
        self.wifiBytes = wifiBytes
        self.cellularBytes = cellularBytes
    }

    /// The longest wait; never came if some resources never did.
    var longestWait: Sample { wait { $0.max() } }

    /// All waits together.
    var totalWait: Sample { wait { $0.reduce(0, +) } }

    private func wait(_ statistic: ([Double]) -> Double?) -> Sample {
        guard let waits, !waits.isEmpty else { return .unknown }
        let known = waits.compactMap { $0.map { Double($0) / 1e9 } }
        guard known.count == waits.count else { return .neverCame }
        return statistic(known).map(Sample.value) ?? .unknown
    }
}
