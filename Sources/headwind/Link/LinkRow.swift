import InterfaceShaping
import KernelLink
import LinkModel

/// One interface in what `headwind link show` tells; keys may be added to a version.
struct LinkRow: Encodable {
    struct Counters: Encodable {
        let sentPackets: UInt64
        let sentBytes: UInt64
        let lostPackets: UInt64
        let droppedPackets: UInt64
        let queuedPackets: UInt32
        let queuedBytes: UInt32

        private enum CodingKeys: String, CodingKey {
            case sentPackets = "sent_packets"
            case sentBytes = "sent_bytes"
            case lostPackets = "lost_packets"
            case droppedPackets = "dropped_packets"
            case queuedPackets = "queued_packets"
            case queuedBytes = "queued_bytes"
        }

        init(_ counters: EgressCounters) {
            (sentPackets, sentBytes) = (counters.sentPackets, counters.sentBytes)
            (lostPackets, droppedPackets) = (counters.lostPackets, counters.droppedPackets)
            (queuedPackets, queuedBytes) = (counters.queuedPackets, counters.queuedBytes)
        }
    }

    struct Replaced: Encodable {
        let queue: String
        let isRestored: Bool
        let fate: String

        private enum CodingKeys: String, CodingKey {
            case queue
            case isRestored = "is_put_back"
        }
    }

    let interface: String
    /// Absent where a shape was left half done.
    let profile: String?
    let since: String?
    let until: String?
    /// The process that takes it off; absent where it was killed.
    let process: Int32?
    let presence: LinkMark.Keeper.Presence?
    let exceptions: [String]?
    let replaced: Replaced?
    let differences: [String]?
    let download: Counters?
    let upload: Counters?
    /// What the queues are set to now; absent where there are none.
    let conditions: LinkConditions?
    /// For people: the same of each direction.
    let settings: [Direction: String]
    /// For people: whether no part of it is gone.
    let isWhole: Bool
    /// For people.
    let end: String

    private enum CodingKeys: String, CodingKey {
        case interface, profile, since, until, exceptions, replaced, differences, download, upload, conditions
        case process = "watchdog_pid"
        case presence = "watchdog"
    }

    init(
        _ found: InterfaceLinks.Found, _ damage: ShapeDamage, _ counters: [Direction: EgressCounters],
        _ readings: [Direction: ShapeReading]
    ) {
        let mark = found.mark
        interface = found.name
        profile = mark?.profile
        since = mark.map { LinkText.moment($0.since) }
        until = mark?.until.map(LinkText.moment)
        let presence = mark?.keeper.presence
        self.presence = presence
        process = presence == .gone ? nil : mark?.keeper.process
        exceptions = mark.flatMap { $0.exceptions.isEmpty ? nil : $0.exceptions }
        replaced = mark?.replaced.map {
            Replaced(queue: $0.name, isRestored: $0.isRestorable, fate: LinkText.fate($0))
        }
        let all = damage.missing + damage.changed
        (differences, isWhole) = (all.isEmpty ? nil : all, damage.missing.isEmpty)
        download = counters[.downlink].map(Counters.init)
        upload = counters[.uplink].map(Counters.init)
        conditions = readings.isEmpty ? nil : LinkConditions(readings)
        settings = readings.mapValues(LinkText.setting)
        end = mark.map { LinkText.end($0, presence ?? .gone) } ?? "until 'headwind link clear'"
    }
}

/// What `headwind link show --format json` prints.
struct LinkListing: Encodable {
    var version = 2
    let links: [LinkRow]
}
