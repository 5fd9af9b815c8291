package import LinkModel

/// Which queues an egress has, for as long as a link is up: those that any of its conditions needs.
///
/// Conditions then change parameters alone, so that no packet is lost for a change.
package struct QueueLayout: Hashable, Sendable {
    package let direction: Direction
    package private(set) var hasRate = false
    package private(set) var hasNetem = false
    /// At times nothing gets through.
    package private(set) var hasSilence = false
    /// Queries to name servers take another way.
    package private(set) var holdsQueries = false
    private var hasByteQueue = false
    private var hasPacketQueue = false

    /// The layout for each of some conditions.
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

    /// The layout for all that a profile becomes.
    package init(_ direction: Direction, _ profile: Profile) {
        self.init(direction, [profile.conditions] + profile.changes.map(\.conditions))
    }

    /// Whether the queue's room is in packets; where some conditions have bytes, packets are counted as so many of the MTU.
    package var countsPackets: Bool { hasPacketQueue && !hasByteQueue }

    /// Whether there is anything at all.
    package var isEmpty: Bool { !hasRate && !hasNetem && !hasSilence }

    /// The layout that has what another has too, of the same direction.
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
    /// Whether they have what a rate alone does not.
    var needsNetem: Bool {
        delay > .zero || jitter != nil || (loss?.mean ?? 0) > 0 || duplicate > .zero || reorder > .zero
            || corrupt > .zero
    }
}
