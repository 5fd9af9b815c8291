import CNetlink

/// A class of an `htb` queue: a rate of its own, and the rate up to which it may borrow.
package struct TrafficClass: Hashable, Sendable {
    package var handle: TrafficHandle
    /// Its queue, or another class.
    package var parent: TrafficHandle
    package var rate: ByteRate
    package var ceiling: ByteRate
    /// Bytes that may pass at once, by the rate and by the ceiling.
    package var burst: UInt32
    /// Bytes that it may send in its turn before another class of its parent.
    package var quantum: UInt32

    package init(
        handle: TrafficHandle, parent: TrafficHandle, rate: ByteRate, ceiling: ByteRate? = nil, burst: UInt32,
        quantum: UInt32
    ) {
        (self.handle, self.parent, self.rate, self.ceiling) = (handle, parent, rate, ceiling ?? rate)
        (self.burst, self.quantum) = (burst, quantum)
    }

    /// The request for an action on it; a change keeps the packets that wait in it.
    package func message(_ action: TrafficAction, on interface: NetworkInterface) -> RouteMessage {
        let type = action == .delete ? RTM_DELTCLASS : RTM_NEWTCLASS
        let purpose = RequestPurpose(
            "\(action.verb) the htb class \(handle) of interface \(interface)",
            part: QueueDiscipline.hierarchy(defaultMinor: 0).part)
        let header = trafficHeader(interface, handle: handle, parent: parent)
        return RouteMessage(Int(type), flags: action.flags, header: header, for: purpose) { attributes in
            attributes.add(Int(TCA_KIND), "htb")
            guard action != .delete else { return }
            attributes.nest(Int(TCA_OPTIONS)) { addOptions(to: &$0) }
        }
    }

    /// Whether the kernel can count the time that a burst takes: at most 274.9 s.
    package static func canCount(burst: UInt32, rate: ByteRate) -> Bool {
        SchedulerClock.time(bytes: burst, rate: rate.bytesPerSecond)
            < UInt64(UInt32.max) * UInt64(SchedulerClock.nanosecondsPerTick)
    }

    private func addOptions(to attributes: inout NetlinkAttributes) {
        // struct tc_htb_opt
        var parameters = rate.specification + ceiling.specification
        let buffer = SchedulerClock.ticks(bytes: burst, rate: rate.bytesPerSecond)
        let ceilingBuffer = SchedulerClock.ticks(bytes: burst, rate: ceiling.bytesPerSecond)
        let level: UInt32 = 0
        let priority: UInt32 = 0
        for field in [buffer, ceilingBuffer, quantum, level, priority] { parameters.append(native: field) }
        attributes.add(Int(TCA_HTB_PARMS), parameters)
        if let long = rate.long { attributes.add(Int(TCA_HTB_RATE64), long) }
        if let long = ceiling.long { attributes.add(Int(TCA_HTB_CEIL64), long) }
    }
}

extension TrafficClass {
    /// The differences of a class that the kernel reports from this one.
    package func differences(from installed: InstalledTraffic) -> [Difference] {
        let name = "the class \(handle)"
        let options = ReceivedAttributes(installed.options)
        let parameters = options[Int(TCA_HTB_PARMS)]
        let size = ByteRate.specificationSize
        let foundRate = ByteRate.read(parameters, long: options[Int(TCA_HTB_RATE64)])
        let foundCeiling = ByteRate.read(parameters?.dropFirst(size), long: options[Int(TCA_HTB_CEIL64)])
        let buffer = SchedulerClock.ticks(bytes: burst, rate: rate.bytesPerSecond)
        // The kernel reports a class directly below its queue as one at the root.
        let place = parent.minor == 0 ? TrafficHandle.root : parent
        return Difference.between("the parent of \(name)", place, installed.parent)
            + Difference.between("the rate of \(name)", rate.bytesPerSecond, foundRate)
            + Difference.between("the ceiling of \(name)", ceiling.bytesPerSecond, foundCeiling)
            + Difference.between("the burst of \(name)", ticks: buffer, parameters?.integer(at: 2 * size))
    }
}

extension TrafficClass: CustomStringConvertible {
    package var description: String {
        "class htb \(handle) parent \(parent) rate \(rate) ceil \(ceiling) burst \(burst)b quantum \(quantum)b"
    }
}
