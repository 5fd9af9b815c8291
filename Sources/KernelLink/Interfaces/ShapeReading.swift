package import LinkModel
import Netlink

/// The present settings of one direction of a shaped interface, as its queues report them.
///
/// A profile that changes over time is at one of its steps. The kernel reports neither the shape of a jitter, which
/// reads as uniform, nor whether a queue has the default size. The delay of queries to name servers is not read.
package struct ShapeReading: Hashable, Sendable {
    /// The settings; the rate is that of IP packets.
    package private(set) var conditions = Conditions()
    /// Whether nothing gets through.
    package private(set) var isSilent = false

    /// Reads the queues and classes in Headwind's root queue.
    init(shape queues: [InstalledTraffic], classes: [InstalledTraffic]) {
        // A reported rate of 0 means that there is none.
        let rates = (queues + classes).compactMap(\.bucketRate).filter { $0 > 0 }
        // The bucket around the others, and the classes around it, limit nothing.
        if let least = rates.min(), least < Netem.orderly.bytesPerSecond {
            conditions.rate = BitRate(
                bitsPerSecond: Int64(clamping: least.multipliedReportingOverflow(by: 8).partialValue))
        }
        // Of two netems, the one with less delay is for packets other than queries.
        let netems = queues.filter { $0.kind == "netem" }.compactMap { Netem($0.options) }
        guard let netem = netems.min(by: { $0.delay < $1.delay }) else {
            isSilent = queues.contains {
                ["bfifo", "pfifo"].contains($0.kind) && $0.handle.number != 0 && $0.options.integer(at: 0) == UInt32(0)
            }
            return
        }
        conditions.delay = .nanoseconds(max(0, netem.delay))
        conditions.jitter = netem.jitter > 0 ? Jitter(amount: .nanoseconds(netem.jitter)) : nil
        isSilent = netem.loss.mean >= 1
        if !isSilent, netem.loss.mean > 0 { conditions.loss = Loss(netem.loss) }
        conditions.duplicate = Ratio(netem.duplicate)
        conditions.reorder = Ratio(netem.reorder)
        conditions.corrupt = Ratio(netem.corrupt)
    }
}

extension LinkConditions {
    /// The settings of both directions of a shape together.
    package init(_ readings: [Direction: ShapeReading]) {
        self.init()
        for (direction, reading) in readings {
            self[direction] = reading.conditions
            if reading.isSilent { self[direction].loss = .random(.one) }
        }
        if readings.count == 2, readings.values.allSatisfy(\.isSilent) { self = LinkConditions(offline: .silent) }
    }
}

extension Loss {
    fileprivate init(_ loss: Netem.Loss) {
        switch loss {
        case .random(let probability): self = .random(Ratio(probability))
        case .gilbertElliott(let goodToBad, let badToGood, let inBad, let inGood):
            self = .gilbertElliott(
                GilbertElliott(
                    goodToBad: Ratio(goodToBad), badToGood: Ratio(badToGood), lossInBad: Ratio(inBad),
                    lossInGood: Ratio(inGood)))
        }
    }
}

extension Ratio {
    fileprivate init(_ probability: Probability) { self.init(partsPerBillion: probability.partsPerBillion) }
}
