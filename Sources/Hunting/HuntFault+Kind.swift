package import LinkModel

extension HuntFault {
    /// Where a kind of fault acts.
    package enum Layer: String, CaseIterable, Sendable {
        case host = "l1"
        case packet, link, client
    }

    /// How a good client copes with a fault.
    package enum Demand: Sendable {
        /// It gets the pack without a retry.
        case bears
        /// It gets the pack with one retry.
        case retries
        /// It gets the pack, or reports an error.
        case reports
    }

    /// Something without which a fault cannot happen, and which some clients lack.
    package enum Need: CaseIterable, Sendable {
        /// A device of its own for its files.
        case device
        /// Names that it looks up.
        case names
    }

    /// A property that makes two faults unfair together: no client could behave correctly under both.
    package enum Trait: Sendable {
        /// Nothing says where the body ends.
        case hidesEnd
        /// The body ends early.
        case endsEarly
        /// Nothing distinguishes one edition of the pack from another.
        case hidesEdition
        /// There is another edition of the pack.
        case newEdition
    }

    /// The properties of a kind of fault.
    package struct Row: Sendable {
        package let layer: Layer
        package let demand: Demand
        package let traits: Set<Trait>
        /// Whether it happens at a byte of the pack.
        package let hasPlace: Bool
        /// The durations to try, in milliseconds, the shortest first; empty for a kind without a duration.
        package let milliseconds: [Int64]
        /// Whether only a client that knows the digest of the pack can cope with it.
        package let needsDigest: Bool
        /// Whether it affects only requests for a part of the pack.
        package let isOfRange: Bool
        /// Whether it affects only the first request.
        package let isFirstOnly: Bool
        /// What the client must have to meet it; nil if nothing.
        package let need: Need?
        /// Whether it comes at a moment of the attempt, when the link or the client reaches a place.
        package var isOfMoment: Bool { hasPlace && (layer == .link || layer == .client) }
        /// What ``HuntFault/words`` is made of: each name in braces stands for a text of the fault.
        let words: String
        package let lines: @Sendable (HuntFault) -> [FaultSchedule.Line]

        /// Without `lines`, the only line is that of the host's `action`.
        init(
            _ layer: Layer, _ demand: Demand, _ words: String, _ action: String = "", traits: Set<Trait> = [],
            hasPlace: Bool = false, lasts: [Int64] = [], needsDigest: Bool = false, isOfRange: Bool = false,
            isFirstOnly: Bool = false, need: Need? = nil,
            lines: (@Sendable (HuntFault) -> [FaultSchedule.Line])? = nil
        ) {
            (self.layer, self.demand, self.words) = (layer, demand, words)
            (self.traits, self.hasPlace, milliseconds, self.needsDigest) = (traits, hasPlace, lasts, needsDigest)
            (self.isOfRange, self.isFirstOnly, self.need) = (isOfRange, isFirstOnly, need)
            if let lines { self.lines = lines } else { self.lines = { [$0.host(action)] } }
        }
    }

    package enum Kind: String, CaseIterable, Sendable {
        // The host.
        case cut, reset, unavailable, unavailableForAWhile, tooManyRequests, internalError, notFound, unavailableForGood
        case unavailableForADay, lateHead, noHead, stall, stallForGood, drip, corrupt, longLength, gzip, chunked
        case untilClose, redirect, redirectLoop, portal, ignoredRange, refusedRange, wrongRange, multipart, changedETag
        case newEdition, shorterEdition, noValidators, weakETag
        // Packets.
        case lostPacket, lostPackets, latePacket, duplicatedPacket, reorderedPacket, corruptedPacket, severed, pause
        case lostHandshake, lostLookup
        // The link as a whole.
        case silence, silenceForGood, refusal, noRoute, noName, connectionsReset, startsSilent, startsRefused
        // The client, and its device.
        case killed, deviceFull

        /// The kinds of these layers whose needs are met (default: all needs).
        package static func all(of layers: Set<Layer>, metNeeds: Set<Need> = Set(Need.allCases)) -> [Self] {
            allCases.filter { kind in
                layers.contains(kind.row.layer) && kind.row.need.map { metNeeds.contains($0) } ?? true
            }
        }
    }
}
