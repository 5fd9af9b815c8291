import Netlink

/// What packets of an interface pass by as well.
struct InterfaceTies: Hashable {
    var index: UInt32
    var name: String
    var isVLAN = false
    /// What it is made on.
    var lower: UInt32?
    /// What it is a port of.
    var master: UInt32?

    /// How packets that leave by some interfaces pass by another one; nil where they do not.
    static func passage(
        from start: Set<UInt32>, to target: UInt32, among all: [InterfaceTies]
    ) -> InterfaceLinks.Passage? {
        var plain = start
        var tags: [UInt32: String] = [:]
        var count = -1
        while count < plain.count + tags.count {
            count = plain.count + tags.count
            for tie in all {
                // From a bridge packets go to its ports as they are.
                if let master = tie.master { reach(tie.index, from: master, by: nil, &plain, &tags) }
                if let lower = tie.lower {
                    reach(lower, from: tie.index, by: tie.isVLAN ? tie.name : nil, &plain, &tags)
                }
            }
        }
        // Where some have a tag, exceptions are not for all.
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
