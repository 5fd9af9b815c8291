import Netlink

/// The other interfaces that packets of an interface pass.
struct InterfaceTies: Hashable {
    var index: UInt32
    var name: String
    var isVLAN = false
    /// The index of the interface that it is made on.
    var lower: UInt32?
    /// The index of the interface that it is a port of.
    var master: UInt32?

    /// How packets that leave through some interfaces pass another one; nil if they do not.
    static func passage(
        from start: Set<UInt32>, to target: UInt32, among all: [InterfaceTies]
    ) -> InterfaceLinks.Passage? {
        var plain = start
        var tags: [UInt32: String] = [:]
        var count = -1
        while count < plain.count + tags.count {
            count = plain.count + tags.count
            for tie in all {
                // A bridge passes packets to its ports unchanged.
                if let master = tie.master { reach(tie.index, from: master, by: nil, &plain, &tags) }
                if let lower = tie.lower {
                    reach(lower, from: tie.index, by: tie.isVLAN ? tie.name : nil, &plain, &tags)
                }
            }
        }
        // If some have a tag, exceptions do not match all of them.
        return tags[target].map(InterfaceLinks.Passage.tagged) ?? (plain.contains(target) ? .plain : nil)
    }

    private static func reach(
        _ next: UInt32, from: UInt32, by tag: String?, _ plain: inout Set<UInt32>, _ tags: inout [UInt32: String]
    ) {
        if let tag = tags[from], tags[next] == nil { tags[next] = tag }
        guard plain.contains(from) else { return }
        if let tag {
            if tags[next] == nil { tags[next] = tag }
        } else {
            plain.insert(next)
        }
    }
}

extension InterfaceTies {
    init(_ state: InterfaceState) {
        self.init(
            index: state.interface.index, name: state.interface.name, isVLAN: state.kind == "vlan", lower: state.lower,
            master: state.master)
    }
}
