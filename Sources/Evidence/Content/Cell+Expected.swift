import LinkModel
package import Scenarios

extension Cell {
    /// The likely maximum time of the cell, with attempts in sequence; it decides which cells begin first.
    package func expectedTime(_ content: PreparedContent?) -> Duration {
        (idealTime(content) ?? roughTime(content)) * attempts.min
    }

    /// The sizes in bytes of the packs that the workload asks for, by identifier.
    package func askedSizes(_ content: PreparedContent?) -> [String: Int64] {
        var asked = requestedNames.flatMap { names in
            content?.packs(tags: names) ?? names.flatMap { content?.packs(named: $0) ?? [] }
        }
        // No request names the packs that come with an app or its updates.
        if workload.hasInstall || !workload.updates.isEmpty { asked += content?.site.packs ?? [] }
        return asked.reduce(into: [:]) { $0[$1.identifier] = $1.size }
    }

    /// The size in bytes of the file system for the client's files; nil: they are on a file system of this machine.
    ///
    /// By default, a device that a fault fills has room for four times the packs that the workload requests: a client
    /// may store one as an archive, in parts and as a whole. If the packs are unknown, it has 16 MB.
    package func storageSize(_ content: PreparedContent?) -> Int64? {
        guard fillsDevice, device.storage == nil else { return device.storage?.bytes }
        guard content != nil else { return 16_000_000 }
        let asked = askedSizes(content).values.reduce(0, +)
        return min(max(asked * Self.timesStored, 4_000_000), Device.largestFilled.bytes)
    }

    private static var timesStored: Int64 { 4 }

    /// Whether a fault can fill the device, and it has room for packs of these sizes before.
    package func canBeFilled(_ packs: [Int64]) -> Bool {
        let room = (device.storage ?? Device.largestFilled).bytes
        return content.isOurs && obstaclesToFilling.isEmpty && packs.reduce(0, +) <= room / Self.timesStored
    }

    /// Whether the link is offline at first: such a cell ends soon, and needs no measurement of the link.
    package var isOfflineAtFirst: Bool { link.profile.conditions.offline != nil }

    /// Whether a client without a short time limit of its own may wait in the cell until it is ended by force.
    package var mayNeverEnd: Bool {
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

    /// A rough time: the workload's pauses, and the packs at the link's first rate; the deadline if the packs are
    /// unknown.
    private func roughTime(_ content: PreparedContent?) -> Duration {
        guard content != nil else { return deadline }
        let pauses = workload.steps.compactMap { if case .sleep(let time) = $0 { time } else { nil } }
        let bits = 8 * Double(askedSizes(content).values.reduce(0, +))
        let rate = link.profile.conditions.downlink.rate?.bitsPerSecond
        return pauses.reduce(.zero, +) + .seconds(rate.map { bits / Double($0) } ?? 0)
    }

    /// The names by which the workload requests packs; for a command, the pack of its URL.
    private var requestedNames: [[String]] {
        workload.requests.map(\.tags) + (workload.command?.pack.map { [[$0]] } ?? [])
    }
}
