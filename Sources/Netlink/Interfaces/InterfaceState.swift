import CNetlink
import Glibc

/// What the kernel tells of an interface.
package struct InterfaceState: Hashable, Sendable {
    package let interface: NetworkInterface
    /// Such as `veth`; nil of hardware.
    package let kind: String?
    package let isUp: Bool
    package let mtu: UInt32
    package let queueLength: UInt32
    /// Most segments that the kernel may make one packet of.
    package let mostSegments: UInt32
    /// Whether each packet has an Ethernet header in front of the IP header.
    package let isEthernet: Bool
    /// The kind of its own queue, such as `noqueue`.
    package let queue: String

    init?(_ reply: RouteReply) {
        guard reply.type == UInt16(RTM_NEWLINK), let index = reply.body.integer(at: 4, as: UInt32.self),
            let hardware = reply.body.integer(at: 2, as: UInt16.self),
            let flags = reply.body.integer(at: 8, as: UInt32.self)
        else { return nil }
        let attributes = reply.attributes(after: interfaceHeader(index: 0).count)
        guard let name = attributes[Int(IFLA_IFNAME)]?.text else { return nil }
        func number(_ type: Int) -> UInt32 { attributes[type]?.integer() ?? 0 }
        interface = NetworkInterface(index: index, name: name)
        kind = attributes.nested(Int(IFLA_LINKINFO))[Int(IFLA_INFO_KIND)]?.text
        isUp = flags & UInt32(IFF_UP) != 0
        mtu = number(Int(IFLA_MTU))
        queueLength = number(Int(IFLA_TXQLEN))
        mostSegments = number(Int(IFLA_GSO_MAX_SEGS))
        isEthernet = Self.ethernets.contains(hardware)
        queue = attributes[Int(IFLA_QDISC)]?.text ?? ""
    }

    /// ARPHRD_ETHER and ARPHRD_LOOPBACK of linux/if_arp.h, which does not go with that of glibc.
    private static let ethernets: Set<UInt16> = [1, 772]
}
