/// The exact list of faults that an attempt met, or is to meet: one line a decision.
///
/// It replaces all random faults: what it does not name is left alone. Three layers: faults of the host (L1), of
/// packets (L2), and of the link as a whole.
package struct FaultSchedule: Hashable, Sendable {
    /// The version of the notation that is written, and the only one that is read.
    package static let version = 1
    /// The most lines that are recorded or read.
    package static let mostLines = 200_000
    /// The most slots that the packet faults may name together; a fault without a range of bytes counts as one.
    ///
    /// Each slot of a long range is looked for, and takes memory.
    package static let mostSlots: Int64 = 1_000_000
    /// The largest text that is read, in bytes.
    package static let mostBytes = 32 << 20

    /// The seed of jitter, which is no fault and has no lines; nil: that of the link that plays the schedule.
    package var seed: UInt64?
    /// ``Profile/fingerprint`` of the link that it was recorded on; nil if it was not recorded.
    package var profile: UInt64?
    /// How many decisions are missing because they were too many.
    package var omitted = 0
    package var lines: [Line] = []

    package enum Line: Hashable, Sendable {
        case host(HostFaultLine)
        case packet(PacketFault)
        case link(LinkChange)
    }

    package init(seed: UInt64? = nil, profile: UInt64? = nil, omitted: Int = 0, lines: [Line] = []) {
        self.seed = seed
        self.profile = profile
        self.omitted = omitted
        self.lines = lines
    }

    /// The faults of packets alone.
    package var packetFaults: [PacketFault] {
        lines.compactMap { if case .packet(let fault) = $0 { fault } else { nil } }
    }

    /// Whether all lines are about packets, so that a link without a host and a client can play all of them.
    package var hasOnlyPacketFaults: Bool { packetFaults.count == lines.count }

    /// Whether any line is about packets.
    package var hasPacketFaults: Bool { !packetFaults.isEmpty }

    /// The drops of slots that were sent for the first time: they are the same in every play, whatever the client's
    /// timing.
    package var firstTransmissionDrops: FaultSchedule {
        FaultSchedule(
            lines: lines.filter { line in
                guard case .packet(let fault) = line, fault.effect == .drop, fault.transmission == 1 else {
                    return false
                }
                guard case .data(let offset, let length) = fault.place, length != 0 else { return false }
                return offset % LossProcess.slotBytes == 0
            })
    }

    /// A fault of one packet, or of several.
    package struct PacketFault: Hashable, Sendable {
        package var connection: Connection
        package var direction: Direction
        package var place: Place
        /// Which transmission of the bytes, counted from 1 (the default); nil: each of them.
        package var transmission: Int?
        package var effect: PacketEffect

        package init(
            connection: Connection, direction: Direction, place: Place, transmission: Int? = 1, effect: PacketEffect
        ) {
            self.connection = connection
            self.direction = direction
            self.place = place
            self.transmission = transmission
            self.effect = effect
        }
    }

    package enum Connection: Hashable, Sendable {
        case any
        /// A name: the path of its first request, or `#3` for the third accepted connection if that is not known.
        case named(String)
    }

    /// Which packets of a connection.
    package enum Place: Hashable, Sendable {
        /// The packet that holds the byte at `offset`; if `length` is more than a slot, those with the first byte of
        /// each slot in it.
        ///
        /// A length of 0 is the packet without data at this offset.
        case data(offset: Int64, length: Int64?)
        case handshake
        case lookup
        case acknowledgement(Int64)
        case reset
        /// The n-th packet, counted from 1: of the connection, or with ``Connection/any`` of the direction.
        case ordinal(Int64)
    }

    /// A fault of the host, in the host's own notation.
    package struct HostFaultLine: Hashable, Sendable {
        package var method: String
        package var path: String
        /// The byte of the resource at which the body of the response begins.
        package var from: Int64
        /// Which requests for the path, counted from 1.
        package var tries: ClosedRange<Int>
        /// What goes wrong, such as `cut@524288`; control characters are written as `\u{a}`.
        package let action: String

        package init(method: String, path: String, from: Int64, tries: ClosedRange<Int>, action: String) {
            self.method = method
            self.path = path
            self.from = from
            self.tries = tries
            self.action = Self.onOneLine(action)
        }
    }

    /// Something that happens to the link as a whole.
    package struct LinkChange: Hashable, Sendable {
        package var effect: Effect
        package var after: Event
        /// How long after that moment it begins (default: 0).
        package var wait: Duration
        /// When it ends; nil: at the end of the attempt.
        package var until: Event?

        package init(effect: Effect, after: Event, wait: Duration = .zero, until: Event? = nil) {
            self.effect = effect
            self.after = after
            self.wait = wait
            self.until = until
        }

        /// The effect, with the name of a profile.
        package typealias Effect = LinkEffect<String>
    }

    /// A moment.
    package enum Event: Hashable, Sendable {
        /// This long after the link came up.
        case time(Duration)
        /// This long after the beginning of the change that it ends.
        case later(Duration)
        /// When this many bytes have arrived in a direction, of all connections or of one.
        case bytes(Int64, Direction, connection: Connection = .any)
        /// When this many bytes of a pack have been downloaded.
        case packBytes(Int64, pack: String)
        /// When this share of a pack has been downloaded.
        case packShare(Ratio, pack: String)
        /// At the n-th report of this kind by the client, since the client's start or the beginning of the change that
        /// it ends.
        case client(ClientMoment, Int)
    }

    /// A kind of moment that a client reports.
    package enum ClientMoment: String, CaseIterable, Sendable {
        /// It reports progress.
        case progress
        /// A request is called back: it became available, or has failed.
        case callback
    }
}
