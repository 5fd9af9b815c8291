import CNetlink

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
}
