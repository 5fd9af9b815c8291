/// Where programs in a sandbox find the networks of this machine.
package struct SandboxOutside: Codable, Equatable, Sendable {
    /// The name of this machine's own loopback, as it is in the sandbox's hosts file.
    package var hostName: String
    /// Its IPv4 address, which is the gateway of the host's network too.
    package var address: String
    /// What answers for the resolver of this machine.
    package var nameServer: String

    package init(hostName: String, address: String, nameServer: String) {
        self.hostName = hostName
        self.address = address
        self.nameServer = nameServer
    }
}
