import CNetlink
package import SystemPackage

extension RouteSocket {
    /// All interfaces of the network.
    package func interfaces() throws(NetlinkError) -> [InterfaceState] {
        let purpose = RequestPurpose("list the interfaces of this network")
        let message = RouteMessage(Int(RTM_GETLINK), header: interfaceHeader(index: 0), for: purpose)
        return try list(message).compactMap(InterfaceState.init)
    }

    /// The interface of that name; throws ENODEV if there is none.
    package func interface(_ name: InterfaceName) throws(NetlinkError) -> InterfaceState {
        let purpose = RequestPurpose("find interface \(name)")
        let message = RouteMessage(Int(RTM_GETLINK), header: interfaceHeader(index: 0), for: purpose) {
            $0.add(Int(IFLA_IFNAME), name.description)
        }
        guard let state = InterfaceState(try get(message)) else {
            throw NetlinkError(purpose, .ioError, words: "its answer cannot be read")
        }
        return state
    }

    /// Runs `body` with a pair of interfaces that it makes, and removes them afterwards.
    package func withPair<Result>(
        _ name: InterfaceName, _ peer: InterfaceName, peerNamespace: FileDescriptor? = nil,
        _ body: (NetworkInterface) throws -> Result
    ) throws -> Result {
        try request(VirtualInterface.pair(name, peer, peerNamespace: peerNamespace))
        return try remove(interface(name).interface, after: body)
    }

    /// Runs `body` with an `ifb` that it makes, and removes it afterwards.
    package func withIntermediate<Result>(
        _ name: InterfaceName, _ body: (NetworkInterface) throws -> Result
    ) throws -> Result {
        try request(VirtualInterface.intermediate(name))
        return try remove(interface(name).interface, after: body)
    }

    private func remove<Result>(
        _ interface: NetworkInterface, after body: (NetworkInterface) throws -> Result
    ) throws -> Result {
        let result: Result
        do {
            result = try body(interface)
        } catch {
            // The first error says more; the interface goes with its namespace anyway.
            try? request(VirtualInterface.removal(of: interface))
            throw error
        }
        try request(VirtualInterface.removal(of: interface))
        return result
    }
}
