import CNetlink

extension TrafficQueue {
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
