internal import LinuxSupport
internal import NIOCore

/// The rules by which one client's connection to an address is allowed or denied.
struct Admission: Sendable {
    /// The target that the client asked for.
    let target: Endpoint
    /// The client's address; nil if it is unknown, which counts as another machine.
    let client: SocketAddress?
    /// Whether the user chose the target, by a route or a reverse listener, and not the client.
    let isGiven: Bool
    /// Where the proxy's own APIs listen.
    let apis: [Endpoint]
    /// The targets on this machine that clients on other machines may reach; port 0 stands for every port.
    let allowed: Set<Endpoint>

    /// Throws a ``Denial`` if a connection to `address` is not allowed.
    func check(_ address: SocketAddress) throws(Denial) {
        guard let place = InternetAddress(connecting: address) else { return }
        if apis.contains(where: { Self.leads(place, port: address.port, to: $0) }) { throw .control }
        guard !isGiven, place.isLoopback || place.isLinkLocal || place.isThisMachine,
            InternetAddress(connecting: client)?.isThisMachine != true, !isAllowed(place, port: address.port ?? 0)
        else { return }
        throw .thisMachine(target)
    }

    private static func leads(_ place: InternetAddress, port: Int?, to api: Endpoint) -> Bool {
        guard api.port == port, let listener = InternetAddress(parsing: api.host) else { return false }
        return listener.isWildcard ? place.isThisMachine : place == listener
    }

    private func isAllowed(_ place: InternetAddress, port: Int) -> Bool {
        allowed.contains { entry in
            guard entry.port == 0 || entry.port == port else { return false }
            if let address = InternetAddress(parsing: entry.host) { return address.connected == place }
            return entry.host == target.host || (entry.host == "localhost" && place.isLoopback)
        }
    }
}

/// The reason why a client may not connect to its target.
package enum Denial: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no route to the target.
    case noRoute
    /// The target is the link's own control API.
    case control
    /// The client is on another machine, and this target is on the proxy's machine or its link-local network.
    case thisMachine(Endpoint)
    /// The client has this address of another machine, and only certain addresses are allowed.
    case stranger(String)

    package var description: String {
        switch self {
        case .noRoute: "This proxy connects only to its routes, and none leads to this target."
        case .control: "The proxy does not connect to its own control API."
        case .thisMachine(let target):
            "Clients on other machines may not reach \(target) on the proxy's machine or its link-local network; "
                + "to let them, start the proxy with --allow-target \(target)."
        case .stranger(let address):
            "The proxy refuses clients at \(address); to admit them, add --allow \(address)."
        }
    }
}
