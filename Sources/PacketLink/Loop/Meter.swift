internal import LinkModel

/// Keeps what was really delivered over time, so that a measured rate does not lean on the shaper's own arithmetic.
struct Meter {
    private(set) var samples: [PacketSample] = []
    /// Shortest time between two samples; doubles each time the room runs out.
    private var spacing: Duration
    private let capacity: Int

    init(spacing: Duration = .milliseconds(5), capacity: Int = 32_768) {
        self.spacing = spacing
        self.capacity = capacity
    }

    /// Takes a sample, unless it comes too soon or tells nothing new.
    mutating func record(_ sample: PacketSample) {
        if let last = samples.last {
            guard last.at.duration(to: sample.at) >= spacing else { return }
            guard last.downlinkWire != sample.downlinkWire || last.uplinkWire != sample.uplinkWire else { return }
        }
        if samples.count == capacity { thin() }
        samples.append(sample)
    }

    /// Keeps every second sample; the totals are cumulative, so only resolution is lost.
    private mutating func thin() {
        samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        spacing *= 2
    }
}
