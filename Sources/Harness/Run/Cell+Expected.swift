import Evidence
import LinkModel
import Scenarios

extension Scenarios.Cell {
    /// How long the cell takes at most likely, one attempt after the other: which are to begin first.
    func expectedTime(_ content: PreparedContent?) -> Duration {
        (idealTime(content) ?? roughTime(content)) * attempts.min
    }

    /// The bytes of packs that the workload asks for, by their identifiers.
    func askedSizes(_ content: PreparedContent?) -> [String: Int64] {
        var asked = requestedNames.flatMap { names in
            content?.packs(tags: names) ?? names.flatMap { content?.packs(named: $0) ?? [] }
        }
        // What comes with an app, and with its updates, no request names.
        if workload.hasInstall || !workload.updates.isEmpty { asked += content?.site.packs ?? [] }
        return asked.reduce(into: [:]) { $0[$1.identifier] = $1.size }
    }

    /// Whether nothing crosses the link at first: such a cell ends soon, and needs no measured link.
    var isOfflineAtFirst: Bool { link.profile.conditions.offline != nil }

    /// Whether a client without a time limit of its own, or with a patient one, may wait in it until it is ended.
    var mayNeverEnd: Bool {
        let hostIsSilent = hostFaults.contains { fault in
            switch fault.action {
            case .stall(_, for: nil), .never, .drip: true
            default: false
            }
        }
        return hostIsSilent
            || linkFaults.contains { fault in
                guard case .offline = fault.effect else { return false }
                return fault.duration == nil && fault.until == nil
            }
    }

    /// What the workload waits by itself, and what its packs take at the rate that the link has at first; the deadline where
    /// it is not known what is downloaded.
    private func roughTime(_ content: PreparedContent?) -> Duration {
        guard content != nil else { return deadline }
        let pauses = workload.steps.compactMap { if case .sleep(let time) = $0 { time } else { nil } }
        let bits = 8 * Double(askedSizes(content).values.reduce(0, +))
        let rate = link.profile.conditions.downlink.rate?.bitsPerSecond
        return pauses.reduce(.zero, +) + .seconds(rate.map { bits / Double($0) } ?? 0)
    }

    /// The names that the workload requests packs by; for a command, what its address stands for.
    private var requestedNames: [[String]] {
        switch workload {
        case .requests: workload.requests.map(\.tags)
        case .command(let command): command.pack.map { [[$0]] } ?? []
        }
    }
}
