package import Netlink

extension InterfaceLinks {
    /// A connection of the user's that must not be lost.
    package struct Connection: Hashable, Sendable, CustomStringConvertible {
        package var peer: InternetAddress
        package var peerPort: UInt16
        package var local: InternetAddress?
        package var localPort: UInt16
        /// The interface that its addresses hold on, where they say one.
        package var scope: String?

        package init(
            peer: InternetAddress, peerPort: UInt16, local: InternetAddress?, localPort: UInt16, scope: String? = nil
        ) {
            (self.peer, self.peerPort, self.local, self.localPort) = (peer, peerPort, local, localPort)
            self.scope = scope
        }

        package var description: String { "from \(peer), port \(peerPort), to port \(localPort)" }

        /// Whether an exception has it bypass a shape.
        package func isCovered(by exceptions: [LinkException]) -> Bool {
            exceptions.contains { exception in
                if case .port(let port) = exception { return port == peerPort || port == localPort }
                return exception.has(peer)
            }
        }
    }

    /// Whether packets of a connection pass by an interface, as far as ways and addresses tell: by itself, or by what is made on it.
    package func carries(_ connection: Connection, _ target: InterfaceState) throws(InterfaceLinkError) -> Bool {
        do throws(NetlinkError) {
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
            var count = 0
            while count < reached.count {
                count = reached.count
                for state in states {
                    if let lower = state.lower, reached.contains(state.interface.index) { reached.insert(lower) }
                    if let master = state.master, reached.contains(master) { reached.insert(state.interface.index) }
                }
            }
            return reached.contains(target.interface.index)
        } catch {
            throw InterfaceLinkError(error)
        }
    }
}
