package import LinkModel

/// The queues that an egress has for as long as a link is up: those that any of its conditions needs.
///
/// So a change of conditions changes only parameters, and loses no packet.
package struct QueueLayout: Hashable, Sendable {
    package let direction: Direction
    package private(set) var hasRate = false
    package private(set) var hasNetem = false
    /// Whether nothing gets through at times.
    package private(set) var hasSilence = false
    /// Whether queries to name servers have a class of their own.
    package private(set) var holdsQueries = false
    private var hasByteQueue = false
    private var hasPacketQueue = false

    /// The layout that has what any of some conditions needs.
    package init(_ direction: Direction, _ conditions: [LinkConditions]) {
        self.direction = direction
        for link in conditions {
            let conditions = link[direction]
            if conditions.rate != nil {
                hasRate = true
                if case .packets = conditions.queue { hasPacketQueue = true } else { hasByteQueue = true }
            }
            if link.isSilent(direction) {
                hasSilence = true
            } else if conditions.needsNetem {
                hasNetem = true
            }
            if direction == .uplink, link.dnsDelay > .zero {
                holdsQueries = true
                hasNetem = true
            }
        }
    }

    /// The layout that has what a profile needs at any time.
    package init(_ direction: Direction, _ profile: Profile) {
        self.init(direction, profile.allConditions)
    }

    /// Whether the queue's size is in packets; if some conditions have bytes, each packet counts as one MTU of bytes.
    package var countsPackets: Bool { hasPacketQueue && !hasByteQueue }

    /// Whether there are no queues at all.
    package var isEmpty: Bool { !hasRate && !hasNetem && !hasSilence }

    /// The layout that has the queues of both; `other` is of the same direction.
    package func joined(with other: QueueLayout) -> QueueLayout {
        var joined = self
        joined.hasRate = hasRate || other.hasRate
        joined.hasNetem = hasNetem || other.hasNetem
        joined.hasSilence = hasSilence || other.hasSilence
        joined.holdsQueries = holdsQueries || other.holdsQueries
        joined.hasByteQueue = hasByteQueue || other.hasByteQueue
        joined.hasPacketQueue = hasPacketQueue || other.hasPacketQueue
        return joined
    }
}

extension LinkConditions {
    /// Whether nothing gets through in a direction, and no error is sent.
    func isSilent(_ direction: Direction) -> Bool {
        offline == .silent || self[direction].loss.map { $0.mean >= 1 } ?? false
    }
}

extension Conditions {
    /// Whether they need more than a rate.
    var needsNetem: Bool {
        delay > .zero || jitter != nil || (loss?.mean ?? 0) > 0 || duplicate > .zero || reorder > .zero
            || corrupt > .zero
    }
}
