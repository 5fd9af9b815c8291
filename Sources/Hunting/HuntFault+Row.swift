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
        /// Whether it happens at a byte of the pack, which its words name.
        package let hasPlace: Bool
        /// The durations to try, in milliseconds, the shortest first; empty for a kind whose words have no duration.
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

        /// Without `lines`, the lines are those of the host's `actions`, in which names in braces mean the same as in
        /// `words`; if it `isForGood`, they apply to all later requests, too.
        ///
        /// The words decide whether it has a place, and `lasts` counts only if they name `{time}` or `{span}`.
        init(
            _ layer: Layer, _ demand: Demand, _ words: String, _ actions: String..., isForGood: Bool = false,
            traits: Set<Trait> = [], lasts: [Int64] = [500, 2000], needsDigest: Bool = false, isOfRange: Bool = false,
            isFirstOnly: Bool = false, need: Need? = nil,
            lines: (@Sendable (HuntFault) -> [FaultSchedule.Line])? = nil
        ) {
            func names(_ names: String...) -> Bool { names.contains { words.contains("{\($0)}") } }
            (self.layer, self.demand, self.words) = (layer, demand, words)
            (hasPlace, milliseconds) = (names("byte", "end", "moment", "span"), names("time", "span") ? lasts : [])
            (self.traits, self.needsDigest, self.isOfRange) = (traits, needsDigest, isOfRange)
            (self.isFirstOnly, self.need) = (isFirstOnly, need)
            self.lines =
                lines ?? { fault in
                    let tries = fault.request...(isForGood ? .max : fault.request)
                    return actions.map { fault.host(fault.filled($0), tries: tries) }
                }
        }
    }
}
