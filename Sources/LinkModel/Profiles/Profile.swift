/// A named link: its conditions in each direction, and how they change over time.
package struct Profile: Hashable, Sendable {
    /// Conditions that hold from a moment on.
    package struct Change: Hashable, Sendable {
        /// Time since the link came up.
        package var at: Duration
        package var conditions: LinkConditions

        package init(at: Duration, conditions: LinkConditions) {
            self.at = at
            self.conditions = conditions
        }
    }

    /// A stall that repeats: packets wait for `length` at the end of every `period`.
    package struct PeriodicStall: Hashable, Sendable {
        package var period: Duration
        package var length: Duration

        package init(period: Duration, length: Duration) {
            precondition(length > .zero && length < period, "a stall is shorter than its period")
            self.period = period
            self.length = length
        }
    }

    /// The name by which scenarios call it: lowercase letters, digits and hyphens.
    package var name: String
    /// The name that its source gives it.
    package var title: String
    /// One sentence on what it stands for.
    package var summary: String
    /// Where its numbers come from.
    package var source: String
    /// The conditions at the start.
    package var conditions: LinkConditions
    /// The conditions later, in order of time.
    package var changes: [Change]
    /// The period after which `changes` start again; nil: they happen once.
    package var repeatsEvery: Duration?
    package var stall: PeriodicStall?
    /// Replaces the rate of the downlink.
    package var downlinkTrace: DeliveryTrace?
    /// Replaces the rate of the uplink.
    package var uplinkTrace: DeliveryTrace?

    package init(
        name: String,
        title: String = "",
        summary: String = "",
        source: String = "",
        conditions: LinkConditions = LinkConditions(),
        changes: [Change] = [],
        repeatsEvery: Duration? = nil,
        stall: PeriodicStall? = nil,
        downlinkTrace: DeliveryTrace? = nil,
        uplinkTrace: DeliveryTrace? = nil
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.source = source
        self.conditions = conditions
        self.changes = changes
        self.repeatsEvery = repeatsEvery
        self.stall = stall
        self.downlinkTrace = downlinkTrace
        self.uplinkTrace = uplinkTrace
    }

    package func trace(_ direction: Direction) -> DeliveryTrace? {
        direction == .downlink ? downlinkTrace : uplinkTrace
    }

    /// Whether the link lets everything pass at once, at all times.
    package var isUnshaped: Bool {
        conditions.isUnshaped && changes.allSatisfy(\.conditions.isUnshaped) && stall == nil
            && downlinkTrace == nil && uplinkTrace == nil
    }
}
