/// The smoothed round trip and the retransmission timeout (RFC 6298, with Linux's floor on the variance).
struct RoundTripEstimator {
    private(set) var smoothed: Duration?
    private(set) var shortest: Duration?
    private var variance = Duration.zero

    mutating func sample(_ value: Duration) {
        shortest = min(shortest ?? value, value)
        guard let smoothed else {
            self.smoothed = value
            variance = value / 2
            return
        }
        let deviation = value > smoothed ? value - smoothed : smoothed - value
        variance = (variance * 3 + deviation) / 4
        self.smoothed = (smoothed * 7 + value) / 8
    }

    /// How long a sender waits for an acknowledgement before it sends again.
    func timeout(_ parameters: TransportParameters) -> Duration {
        guard let smoothed else { return parameters.initialTimeout }
        return min(smoothed + max(variance * 4, parameters.minimumTimeout), parameters.maximumTimeout)
    }

    /// How long a sender waits before it probes for a lost tail (RFC 8985 §7.2).
    func probeTimeout(segmentsInFlight: Int, _ parameters: TransportParameters) -> Duration {
        guard let smoothed else { return parameters.initialTimeout }
        let allowance = segmentsInFlight == 1 ? parameters.minimumTimeout : parameters.timerSlack
        return min(smoothed * 2 + allowance, timeout(parameters))
    }
}
