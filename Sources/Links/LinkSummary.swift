package import LinkModel

/// One line about the traffic of a link.
package struct LinkSummary {
    package let profile: String
    package let use: LinkUse

    package init(profile: String, use: LinkUse) {
        self.profile = profile
        self.use = use
    }

    /// `3g: 1.2 MB down, 4.1 kB up, 3 connections, 712 kbit/s down on average over 13.4 s`.
    ///
    /// `flow` is the word for what is counted, in the singular (default: connection).
    package func line(counting flow: String = "connection") -> String {
        let payload = use.payload
        var parts = [
            "\(Self.size(payload.downlink)) down, \(Self.size(payload.uplink)) up",
            "\(use.connections) \(flow)\(use.connections == 1 ? "" : "s")",
        ]
        if use.refusedConnections > 0 { parts.append("\(use.refusedConnections) turned away") }
        if let rate = Self.meanRate(of: payload, use.meter) { parts.append(rate) }
        return "\(profile): " + parts.joined(separator: ", ")
    }

    /// The mean rate of the direction that carried more, as `712 kbit/s down on average over 13.4 s`.
    ///
    /// nil if no time passed.
    private static func meanRate(
        of payload: PerDirection<Int64>, _ samples: [MeterSample<PerDirection<Int64>>]
    ) -> String? {
        guard let first = samples.first, let last = samples.last, first.at < last.at else { return nil }
        let time = first.at.duration(to: last.at).seconds
        let direction = payload.downlink >= payload.uplink ? Direction.downlink : .uplink
        let rate = scaled(Double(last.totals[direction] - first.totals[direction]) * 8 / time, unit: "bit/s")
        return "\(rate) \(direction == .downlink ? "down" : "up") on average over \(rounded(time)) s"
    }

    package static func size(_ bytes: Int64) -> String { scaled(Double(bytes), unit: "B") }

    private static func scaled(_ value: Double, unit: String) -> String {
        for (factor, prefix) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] where value >= factor {
            return "\(rounded(value / factor)) \(prefix)\(unit)"
        }
        return "\(Int(value)) \(unit)"
    }

    private static func rounded(_ value: Double) -> String {
        value >= 100 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
    }
}
