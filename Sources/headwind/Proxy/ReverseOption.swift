import ArgumentParser
import ProxyLink

/// `PORT=HOST:PORT`: a listener on this machine, and where its connections lead.
struct ReverseOption: ExpressibleByArgument {
    let door: ProxyLinkConfiguration.ReverseDoor

    init?(argument: String) {
        let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let target = try? Endpoint(parsing: String(halves[1])) else { return nil }
        let listen = halves[0].contains(":") ? String(halves[0]) : "127.0.0.1:\(halves[0])"
        guard let listen = try? Endpoint(parsing: listen), listen.isAddress else { return nil }
        door = ProxyLinkConfiguration.ReverseDoor(listen: listen, target: target)
    }
}

extension Endpoint: ExpressibleByArgument {
    package init?(argument: String) {
        guard let endpoint = try? Endpoint(parsing: argument), endpoint.isAddress else { return nil }
        self = endpoint
    }
}
