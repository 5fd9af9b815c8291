import CNetlink

/// What a u32 filter matches and does, without its counters.
package struct FilterRule: Hashable, Sendable {
    package let priority: UInt16
    /// Its matches, in the form that messages have.
    private let selector: [UInt8]
    private let target: UInt32
    /// The parameters of a redirection: verdict, direction and interface; empty if there is none.
    private let redirection: [UInt8]

    /// A form of it that is the same wherever it is installed.
    package var bytes: [UInt8] {
        [UInt8](native: [priority]) + [UInt8](native: [target]) + redirection + selector
    }

    package init(_ filter: TrafficFilter) {
        priority = filter.priority
        selector = filter.selector
        switch filter.action {
        case .classify(let handle): (target, redirection) = (handle.number, [])
        case .redirect(let index):
            target = 0
            redirection = Self.telling(ReceivedBytes(TrafficFilter.redirection(to: index)))
        }
    }

    /// Reads an installed filter; nil for other kinds, and for the tables in which u32 keeps its filters.
    package init?(_ installed: InstalledTraffic) {
        let attributes = ReceivedAttributes(installed.options)
        guard installed.kind == TrafficFilter.kind, let selector = attributes[Int(TCA_U32_SEL)] else { return nil }
        priority = UInt16(installed.info >> 16)
        self.selector = selector.array
        target = attributes[Int(TCA_U32_CLASSID)]?.integer(at: 0) ?? 0
        redirection = attributes.nested(Int(TCA_U32_ACT)).all.flatMap { action in
            let options = ReceivedAttributes(action.value).nested(Int(TCA_ACT_OPTIONS))
            return options[Int(TCA_MIRRED_PARMS)].map(Self.telling) ?? Array("?".utf8)
        }
    }

    /// The fields of `struct tc_mirred` that are not counters.
    private static func telling(_ parameters: ReceivedBytes) -> [UInt8] {
        [UInt8](native: [8, 20, 24].map { parameters.integer(at: $0, as: UInt32.self) ?? 0 })
    }
}

extension [TrafficFilter] {
    /// The filters that are not installed, or not as often as they are wanted.
    package func missing(from installed: [InstalledTraffic]) -> [TrafficFilter] {
        var left = Dictionary(installed.compactMap(FilterRule.init).map { ($0, 1) }, uniquingKeysWith: +)
        return filter { wanted in
            let rule = FilterRule(wanted)
            guard let count = left[rule], count > 0 else { return true }
            left[rule] = count - 1
            return false
        }
    }
}
