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
