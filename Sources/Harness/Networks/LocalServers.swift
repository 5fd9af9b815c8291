import LinuxSupport
package import ProxyLink
import Testbed

/// How programs reach this machine's own servers, whatever carries their link.
package enum LocalServers {
    /// The routes of a proxy by which programs find this machine as they do in a sandbox.
    package static func routes(resolved: [ResolvedName] = []) -> RouteTable {
        let others = resolved.map { ($0.name, $0.address) }
        // Servers listen at either loopback, and some at both.
        let here = [(SandboxAddresses.outside.hostName, "localhost"), (SandboxAddresses.outside.address, "localhost")]
        return RouteTable(policy: .direct, addresses: Dictionary(here + others) { $1 })
    }

    /// Has a program in a sandbox go past the proxies of its variables to this machine and its own loopback, which a proxy
    /// elsewhere does not find.
    package static func pass(_ variables: inout [String: String]) {
        guard variables.contains(where: { isProxy($0.key) && !$0.value.isEmpty }) else { return }
        let own = [
            "localhost", "127.0.0.1", "::1", SandboxAddresses.outside.hostName, SandboxAddresses.outside.address,
        ]
        let given = [variables["no_proxy"], variables["NO_PROXY"]].compactMap { $0 }.first { !$0.isEmpty }
        let exceptions = (given.map { [$0] } ?? []) + own
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = exceptions.joined(separator: ",") }
    }

    private static func isProxy(_ name: String) -> Bool {
        Environment.isProxyVariable(name) && name.lowercased() != "no_proxy"
    }
}
