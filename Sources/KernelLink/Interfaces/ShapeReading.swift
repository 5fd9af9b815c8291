package import LinkModel
import Netlink

/// What one direction of a shaped interface is set to at this moment, as its queues say.
///
/// A profile that changes over time is at one of its steps; what is not set is nil.
package struct ShapeReading: Hashable, Sendable {
    /// In bits per second of IP packets.
    package private(set) var rate: BitRate?
    /// Of each packet, one way.
    package private(set) var delay: Duration?
    /// The standard deviation of the delay.
    package private(set) var jitter: Duration?
    /// The share of packets that are lost by chance, 0…1; of bursts their mean.
    package private(set) var loss: Double?
    /// Nothing gets through.
    package private(set) var isSilent = false

    /// Reads the queues and classes that are in a root of Headwind's.
    init(shape queues: [InstalledTraffic], classes: [InstalledTraffic]) {
        // A bucket whose rate is told as 0 tells none.
        let rates = (queues + classes).compactMap(\.bucketRate).filter { $0 > 0 }
        // The bucket around the others, and the ways in it, hold up nothing.
        if let least = rates.min(), least < Netem.orderly.bytesPerSecond {
            rate = BitRate(bitsPerSecond: Int64(clamping: least.multipliedReportingOverflow(by: 8).partialValue))
        }
        // Of two the one with less delay is that of packets other than queries.
        let netems = queues.filter { $0.kind == "netem" }.compactMap { Netem($0.options) }
        guard let netem = netems.min(by: { $0.delay < $1.delay }) else {
            isSilent = queues.contains {
                ["bfifo", "pfifo"].contains($0.kind) && $0.handle.number != 0 && $0.options.integer(at: 0) == UInt32(0)
            }
            return
        }
        delay = netem.delay > 0 ? .nanoseconds(netem.delay) : nil
        jitter = netem.jitter > 0 ? .nanoseconds(netem.jitter) : nil
        let share = netem.loss.mean
        isSilent = share >= 1
        loss = share > 0 && !isSilent ? share : nil
    }
}

extension InterfaceLinks {
    /// What each direction of a shape is set to now; none where there is nothing of it.
    package func readings(of found: Found) throws(InterfaceLinkError) -> [Direction: ShapeReading] {
        var readings: [Direction: ShapeReading] = [:]
        do {
            for (direction, interface) in [(Direction.uplink, found.target), (.downlink, found.ifb)] {
                guard let interface = interface?.interface else { continue }
                let queues = try socket.queues(of: interface)
                guard Self.ownRoot(in: queues, hasIntermediate: found.ifb != nil) != nil else { continue }
                // One by one: older kernels leave out classes of queues in other ones' classes.
                var classes: [InstalledTraffic] = []
                for queue in queues where queue.kind == "htb" {
                    classes += try socket.classes(of: interface, below: TrafficHandle(queue.handle.major, 0))
                }
                readings[direction] = ShapeReading(shape: queues, classes: classes)
            }
        } catch {
            throw InterfaceLinkError(error)
        }
        return readings
    }
}
