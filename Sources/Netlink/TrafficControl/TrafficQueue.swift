import CNetlink

/// A queue discipline in its place; see tc(8).
///
/// Its messages are built here and not by libnl-route, which depends on /proc/net/psched. libnl-route reads that file
/// once, under a lock that it may keep. It assumes a tick of a microsecond if the file is missing, and ends the process
/// if the file is not as it should be. It also knows no rate of more than 32 bits, and loading it takes 0.3 ms of the
/// start of each cell.
package struct TrafficQueue: Hashable, Sendable {
    package var handle: TrafficHandle
    package var parent: TrafficHandle
    package var discipline: QueueDiscipline
    /// Bytes that are added to the size of each packet, or subtracted if negative: −14 leaves out an Ethernet header.
    ///
    /// It also holds for the rates, limits and counters of all queues below. Nil (the default): packets count as they
    /// are.
    package var overhead: Int32?

    package init(
        _ discipline: QueueDiscipline, handle: TrafficHandle = .unspecified, parent: TrafficHandle = .root,
        overhead: Int32? = nil
    ) {
        (self.discipline, self.handle, self.parent, self.overhead) = (discipline, handle, parent, overhead)
    }

    /// The request for an action on it.
    ///
    /// Each has all parameters of the kind, because the kernel keeps what a message leaves out.
    package func message(_ action: TrafficAction, on interface: NetworkInterface) -> RouteMessage {
        let type = action == .delete ? RTM_DELQDISC : RTM_NEWQDISC
        let purpose = RequestPurpose(
            "\(action.verb) the \(discipline.kind) queue \(handle.number == 0 ? "" : "\(handle) ")"
                + "at \(parent) of interface \(interface)", part: discipline.part)
        let header = trafficHeader(interface, handle: handle, parent: parent)
        return RouteMessage(Int(type), flags: action.flags, header: header, for: purpose) { attributes in
            attributes.add(Int(TCA_KIND), discipline.kind)
            guard action != .delete else { return }
            discipline.addOptions(to: &attributes)
            if let overhead { attributes.nest(Int(TCA_STAB)) { $0.add(Int(TCA_STAB_BASE), Self.sizes(overhead)) } }
        }
    }

    /// `struct tc_sizespec` without a table: only the overhead counts.
    private static func sizes(_ overhead: Int32) -> [UInt8] {
        [UInt8](native: [0, UInt32(bitPattern: overhead), UInt32(TC_LINKLAYER_ETHERNET.rawValue), 0, 0, 0])
    }

    /// The differences of a queue that the kernel reports from this one.
    package func differences(from installed: InstalledTraffic) -> [Difference] {
        let name = "the \(discipline.kind) queue \(handle)"
        let kind = Difference.between("the kind of \(name)", discipline.kind, installed.kind)
        guard kind.isEmpty else { return kind }
        return Difference.between("the parent of \(name)", parent, installed.parent)
            + Difference.between("the overhead of \(name)", overhead ?? 0, installed.overhead ?? 0)
            + discipline.differences(from: installed.options, of: name)
    }
}

extension QueueDiscipline {
    fileprivate func differences(from options: ReceivedBytes, of name: String) -> [Difference] {
        switch self {
        case .netem(let netem): netem.differences(from: options, of: name)
        case .tokenBucket(let bucket): bucket.differences(from: ReceivedAttributes(options), of: name)
        case .hierarchy(let minor):
            Difference.between(
                "the default class of \(name)", UInt32(minor),
                ReceivedAttributes(options)[Int(TCA_HTB_INIT)]?.integer(at: 8))
        case .packetFIFO(let limit?), .byteFIFO(let limit):
            Difference.between("the limit of \(name)", limit, options.integer())
        case .packetFIFO(nil), .fairQueue, .ingress: []
        }
    }

    fileprivate var parameters: String {
        switch self {
        case .netem(let netem): netem.parameters
        case .tokenBucket(let bucket): " rate \(bucket.rate) burst \(bucket.burst)b limit \(bucket.limit)"
        case .hierarchy(let minor): " default 0x\(String(minor, radix: 16))"
        case .packetFIFO(let packets): packets.map { " limit \($0)p" } ?? ""
        case .byteFIFO(let bytes): " limit \(bytes)b"
        case .fairQueue(let queue): queue.limit.map { " limit \($0)p" } ?? ""
        case .ingress: ""
        }
    }
}

extension TokenBucket {
    fileprivate func differences(from options: ReceivedAttributes, of name: String) -> [Difference] {
        let parameters = options[Int(TCA_TBF_PARMS)]
        let size = ByteRate.specificationSize
        let limitOffset = 2 * size
        let peak = ByteRate.read(parameters?.dropFirst(size), long: options[Int(TCA_TBF_PRATE64)])
        let buffer = SchedulerClock.ticks(bytes: burst, rate: rate.bytesPerSecond)
        return Difference.between(
            "the rate of \(name)", rate.bytesPerSecond, ByteRate.read(parameters, long: options[Int(TCA_TBF_RATE64)]))
            + Difference.between("the limit of \(name)", limit, parameters?.integer(at: limitOffset))
            + Difference.between("the burst of \(name)", ticks: buffer, parameters?.integer(at: limitOffset + 4))
            + Difference.between("the peak rate of \(name)", 0, peak)
            + Difference.between(
                "the largest packet of \(name)", 0, parameters?.integer(at: limitOffset + 8, as: UInt32.self))
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

/// A property that is not what it was set to.
package struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// Such as "the limit of the netem queue 2:".
    package let property: String
    package let wanted: String
    package let found: String

    package init(property: String, wanted: String, found: String) {
        (self.property, self.wanted, self.found) = (property, wanted, found)
    }

    package var description: String { "\(property) is \(found), not \(wanted)" }

    /// The difference between two values, if there is one.
    static func between<Value: Equatable>(_ property: String, _ wanted: Value, _ found: Value?) -> [Difference] {
        guard wanted != found else { return [] }
        let found = found.map { "\($0)" } ?? "unknown"
        return [Difference(property: property, wanted: "\(wanted)", found: found)]
    }

    /// The difference between two times in ticks, except the kernel's rounding.
    static func between(_ property: String, ticks wanted: UInt32, _ found: UInt32?) -> [Difference] {
        let tolerance = Int64(wanted) / 1000 + 2
        if let found, abs(Int64(wanted) - Int64(found)) <= tolerance { return [] }
        return between(property, wanted, found)
    }
}

extension TrafficQueue: CustomStringConvertible {
    /// The queue in the notation of tc(8).
    package var description: String {
        let place = parent == .root ? "root" : parent == .ingress ? "ingress" : "parent \(parent)"
        let overhead = overhead.map { " overhead \($0)" } ?? ""
        return "qdisc \(discipline.kind) \(handle) \(place)\(discipline.parameters)\(overhead)"
    }
}

extension TrafficClass: CustomStringConvertible {
    package var description: String {
        "class htb \(handle) parent \(parent) rate \(rate) ceil \(ceiling) burst \(burst)b quantum \(quantum)b"
    }
}

extension TrafficFilter: CustomStringConvertible {
    package var description: String {
        let matches = matches.map { match in
            " match u32 0x\(String(match.value, radix: 16)) 0x\(String(match.mask, radix: 16)) at \(match.offset)"
        }
        let action =
            switch action {
            case .classify(let target): "flowid \(target)"
            case .redirect(let index): "action mirred egress redirect index \(index)"
            }
        return "filter parent \(parent) prio \(priority) protocol \(networkProtocol) u32\(matches.joined()) \(action)"
    }
}

extension ByteRate: CustomStringConvertible {
    /// In bits per second.
    package var description: String {
        let (bits, isOver) = bytesPerSecond.multipliedReportingOverflow(by: 8)
        return isOver ? "\(bytesPerSecond)B/s" : "\(bits)bit"
    }
}

extension Netem {
    fileprivate var parameters: String {
        var text = " limit \(limit) delay \(delay)ns"
        if jitter > 0 { text += " \(jitter)ns of \(distribution.entries.count)" }
        switch loss {
        case .random(.never): break
        case .random(let probability): text += " loss \(probability)"
        case .gilbertElliott(let goodToBad, let badToGood, let inBad, let inGood):
            text += " loss gemodel \(goodToBad) \(badToGood) \(inBad) \(inGood)"
        }
        if duplicate != .never { text += " duplicate \(duplicate)" }
        if reorder != .never { text += " reorder \(reorder)" }
        if corrupt != .never { text += " corrupt \(corrupt)" }
        if let rate { text += " rate \(rate)" }
        if let seed { text += " seed \(seed)" }
        return text
    }
}
