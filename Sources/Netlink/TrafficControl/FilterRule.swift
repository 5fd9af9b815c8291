import CNetlink

/// What a filter of u32 looks for and does, without what it has counted.
package struct FilterRule: Hashable, Sendable {
    package let priority: UInt16
    /// Its matches, as they are sent and told.
    private let selector: [UInt8]
    private let target: UInt32
    /// Of an action: what becomes of the packet, which way, and by which interface.
    private let redirection: [UInt8]

    /// All of it, in the same bytes wherever it is installed.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(native: priority)
        bytes.append(native: target)
        return bytes + redirection + selector
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

    /// Nil of other kinds, and of the tables that u32 keeps its filters in.
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

    /// Of `struct tc_mirred` what is not counted in.
    private static func telling(_ parameters: ReceivedBytes) -> [UInt8] {
        var bytes: [UInt8] = []
        for offset in [8, 20, 24] { bytes.append(native: parameters.integer(at: offset, as: UInt32.self) ?? 0) }
        return bytes
    }
}

extension [TrafficFilter] {
    /// Those that are not among what is installed, each as often as it is wanted.
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
