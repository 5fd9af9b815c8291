import LinuxSupport
package import ProxyLink
import Testbed

/// How programs reach servers on this machine, with any backend.
package enum LocalServers {
    /// The routes of a proxy by which programs reach this machine under the same names as in a sandbox.
    package static func routes(resolved: [ResolvedName] = []) -> RouteTable {
        let others = resolved.map { ($0.name, $0.address) }
        // Servers listen on the IPv4 loopback, the IPv6 loopback, or both.
        let here = [(SandboxAddresses.outside.hostName, "localhost"), (SandboxAddresses.outside.address, "localhost")]
        return RouteTable(policy: .direct, addresses: Dictionary(here + others) { $1 })
    }

    /// Excludes this machine and the client's loopback from the proxies in a sandboxed program's variables.
    ///
    /// A proxy elsewhere cannot reach them.
    package static func pass(_ variables: inout [String: String]) {
        guard variables.contains(where: { isProxy($0.key) && !$0.value.isEmpty }) else { return }
        let own = [
            "localhost", "127.0.0.1", "::1", SandboxAddresses.outside.hostName, SandboxAddresses.outside.address,
        ]
        let names = ["no_proxy", "NO_PROXY"]
        let given = names.map { variables[$0] ?? "" }
        for (name, value) in zip(names, given) {
            let value = value.isEmpty ? given.first { !$0.isEmpty } ?? "" : value
            // curl takes "*", for all hosts, only alone.
            variables[name] = value == "*" ? value : ((value.isEmpty ? [] : [value]) + own).joined(separator: ",")
        }
    }

    private static func isProxy(_ name: String) -> Bool {
        Environment.isProxyVariable(name) && !Environment.isProxyException(name)
    }
}
