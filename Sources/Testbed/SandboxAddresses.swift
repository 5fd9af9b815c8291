package import SandboxMessages

/// The addresses of the two ends of the link, the same in every sandbox.
package enum SandboxAddresses {
    package static let clientIPv4 = "10.77.0.2"
    package static let clientIPv6 = "fd77::2"
    package static let hostIPv4 = "10.77.1.2"
    package static let hostIPv6 = "fd77:1::2"

    /// Where an open sandbox finds this machine: its loopback, and its resolver.
    package static let outside = SandboxOutside(
        hostName: "host.headwind.internal", address: "10.77.2.1", nameServer: "10.77.2.3")
}
