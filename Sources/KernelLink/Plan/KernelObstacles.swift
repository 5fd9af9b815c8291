package import LinkModel
import Netlink

/// Finds the properties of links that the kernel's queues do not support.
package enum KernelObstacles {
    /// All properties of a profile, at any time, that the queues do not support; empty if they support all of it.
    package static func find(in profile: Profile) -> [UnsupportedProperty] {
        var found: [UnsupportedProperty] = []
        for direction in Direction.allCases where profile.trace(direction) != nil {
            found.append(
                UnsupportedProperty(
                    property: "the trace of the \(direction.rawValue)",
                    reason: "its queues have rates, but no delivery times"))
        }
        if profile.stall != nil { found.append(held("the stall of the profile")) }
        for conditions in profile.allConditions {
            for direction in Direction.allCases {
                let obstacles = find(in: conditions, direction, layout: QueueLayout(direction, profile))
                found += obstacles.filter { !found.contains($0) }
            }
        }
        return found
    }

    /// All properties of a link and of its faults that the queues do not support on any machine; as clauses.
    package static func find(in setup: LinkSetup) -> [String] {
        let others = setup.faults.compactMap { fault in
            if case .profile(let profile) = fault.effect { profile } else { nil }
        }
        var found: [UnsupportedProperty] = []
        for profile in [setup.profile] + others + [setup.foreseen] {
            found += find(in: profile).filter { !found.contains($0) }
        }
        if setup.faults.contains(where: { $0.effect == .cut }) { found.append(cut) }
        if Set(setup.foreseen.allConditions.map(\.mtu)).count > 1 { found.append(changingMTU) }
        return found.map(\.clause)
    }

    /// Cuts: queues do not know connections.
    static let cut = UnsupportedProperty(
        property: "'link: cut'", reason: "its queues drop packets, but cannot reset a connection")

    /// Changes of the MTU: only interfaces that are made anew have another one.
    static let changingMTU = UnsupportedProperty(
        property: "an 'mtu' that changes", reason: "its interfaces keep the MTU of the start")

    /// All properties of conditions in one direction that the queues do not support; `layout` is theirs by default.
    package static func find(
        in link: LinkConditions, _ direction: Direction, layout: QueueLayout? = nil
    ) -> [UnsupportedProperty] {
        let conditions = link[direction]
        let layout = layout ?? QueueLayout(direction, [link])
        let found: [UnsupportedProperty?] = [
            offline(link), link.isHeld ? held("a stall") : nil, rate(conditions, direction, link),
            room(link, direction), jitter(conditions, direction), delay(link, direction, layout),
            duplicates(conditions, layout),
        ]
        return found.compactMap(\.self)
    }

    private static func offline(_ link: LinkConditions) -> UnsupportedProperty? {
        guard let offline = link.offline, offline != .silent else { return nil }
        return UnsupportedProperty(
            property: "'offline: \(offline.rawValue)'",
            reason: "its queues drop packets, but cannot answer; they support 'offline: silent'")
    }

    private static func held(_ property: String) -> UnsupportedProperty {
        UnsupportedProperty(property: property, reason: "its queues cannot hold packets without losing some")
    }

    private static func rate(
        _ conditions: Conditions, _ direction: Direction, _ link: LinkConditions
    ) -> UnsupportedProperty? {
        guard let rate = conditions.rate else { return nil }
        let property = "the rate of the \(direction.rawValue), \(rate)"
        let parameters = EgressParameters(link, QueueLayout(direction, [link]), seed: nil)
        guard let nearest = ByteRate(nearest: rate) else {
            return UnsupportedProperty(property: property, reason: "the kernel counts whole bytes a second")
        }
        let error = abs(Double(nearest.bytesPerSecond) * 8 / Double(rate.bitsPerSecond) - 1)
        if error > greatestRateError {
            return UnsupportedProperty(
                property: property,
                reason: "the kernel counts whole bytes a second, and the nearest rate is \(nearest)")
        }
        if !TrafficClass.canCount(burst: parameters.burst, rate: nearest) {
            return UnsupportedProperty(
                property: property, reason: "two packets would take longer than 274 s, the kernel's maximum")
        }
        return nil
    }

    private static func jitter(_ conditions: Conditions, _ direction: Direction) -> UnsupportedProperty? {
        guard let jitter = conditions.jitter, jitter.amount.nanoseconds > Netem.greatestJitter else { return nil }
        return UnsupportedProperty(
            property: "the jitter of the \(direction.rawValue), \(jitter.amount.text)",
            reason: "the kernel would silently use 2.147483647 s")
    }

    private static func delay(
        _ link: LinkConditions, _ direction: Direction, _ layout: QueueLayout
    ) -> UnsupportedProperty? {
        let later = direction == .uplink ? link.dnsDelay : .zero
        let bytes = EgressParameters.bytesUnderWay(link, direction, later: later) ?? 0
        guard layout.hasNetem, bytes / Double(link.mtu) > Double(EgressParameters.mostPackets) else { return nil }
        return UnsupportedProperty(
            property: "the delay and the queue of the \(direction.rawValue) at its rate",
            reason: "more than \(EgressParameters.mostPackets) packets would wait in the kernel's memory")
    }

    /// Kernels since 6.16, and older ones that have the fix, allow no other netem together with one that duplicates.
    private static func duplicates(_ conditions: Conditions, _ layout: QueueLayout) -> UnsupportedProperty? {
        guard layout.holdsQueries, conditions.duplicate > .zero else { return nil }
        return UnsupportedProperty(
            property: "the duplicates of the \(layout.direction.rawValue) together with a DNS delay",
            reason: "the kernel allows no second netem beside one that duplicates")
    }

    private static func room(_ link: LinkConditions, _ direction: Direction) -> UnsupportedProperty? {
        guard link[direction].rate != nil, let bytes = link.queueBytes(direction), bytes > Int(UInt32.max) else {
            return nil
        }
        return UnsupportedProperty(
            property: "the queue of the \(direction.rawValue), \(ByteCount(Int64(bytes)))",
            reason: "the kernel's maximum is 4 GiB")
    }

    private static let greatestRateError = 0.001
}

/// A property of a profile that the kernel's queues do not support.
package struct UnsupportedProperty: Error, Hashable, Sendable, CustomStringConvertible {
    /// Such as "the jitter of the downlink, 3 s".
    package let property: String
    /// Why not.
    package let reason: String

    /// Both, for a sentence that lists several.
    package var clause: String { "\(property) (\(reason))" }

    package var description: String {
        "The kernel backend does not support \(property): \(reason). The packet backend does: --backend packet."
    }
}
