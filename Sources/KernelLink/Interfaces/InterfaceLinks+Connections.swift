package import LinuxSupport
package import Netlink

extension InterfaceLinks {
    /// A connection of the user that must not be lost.
    package struct Connection: Hashable, Sendable, CustomStringConvertible {
        package var peer: InternetAddress
        package var peerPort: UInt16
        package var local: InternetAddress?
        package var localPort: UInt16
        /// The interface on which its addresses are valid; nil if they name none.
        package var scope: String?

        package init(
            peer: InternetAddress, peerPort: UInt16, local: InternetAddress?, localPort: UInt16, scope: String? = nil
        ) {
            (self.peer, self.peerPort, self.local, self.localPort) = (peer, peerPort, local, localPort)
            self.scope = scope
        }

        package var description: String { "from \(peer), port \(peerPort), to port \(localPort)" }

        /// Whether an exception lets it bypass a shape.
        package func isCovered(by exceptions: [LinkSelector]) -> Bool {
            exceptions.contains { isCovered(by: $0) == true }
        }

        /// Whether a shape may slow it down; a rule for a hardware address counts, because the connection's is not
        /// known.
        package func isShaped(by shape: InterfaceShape) -> Bool {
            guard !isCovered(by: shape.exceptions) else { return false }
            return shape.profile != nil || shape.rules.contains { isCovered(by: $0.selector) != false }
        }

        /// Whether a selector matches it; nil if that is not known.
        private func isCovered(by selector: LinkSelector) -> Bool? {
            switch selector {
            case .port(let port): port == peerPort || port == localPort
            case .network: selector.has(peer)
            case .hardware: nil
            }
        }
    }

    /// How packets of a connection pass an interface.
    package enum Passage: Hashable, Sendable {
        /// In the form that the filters of exceptions match.
        case plain
        /// With the tag of this VLAN in front of what filters look at.
        case tagged(String)
    }

    /// How packets of a connection pass an interface, directly or through one that is made on it; nil if they do not.
    ///
    /// Routes and addresses decide this.
    package func passage(
        of connection: Connection, by target: InterfaceState
    ) throws(InterfaceLinkError) -> Passage? {
        try asking { () throws(NetlinkError) in
            let states = try socket.interfaces()
            var reached: Set<UInt32> = []
            let peer = connection.peer
            if let scope = connection.scope {
                reached.formUnion(states.filter { $0.interface.name == scope }.map(\.interface.index))
            } else if let index = try socket.interface(towards: peer.bytes, peer.family) {
                reached.insert(index)
            }
            if let local = connection.local, let index = try socket.interface(having: local.bytes, local.family) {
                reached.insert(index)
            }
            return InterfaceTies.passage(
                from: reached, to: target.interface.index, among: states.map(InterfaceTies.init))
        }
    }
}

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
