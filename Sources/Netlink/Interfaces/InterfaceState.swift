import CNetlink
import Glibc

/// The state of an interface, as the kernel reports it.
package struct InterfaceState: Hashable, Sendable {
    package let interface: NetworkInterface
    /// Such as `veth`; nil for hardware.
    package let kind: String?
    package let isUp: Bool
    package let mtu: UInt32
    package let queueLength: UInt32
    /// The most segments that the kernel may join into one packet.
    package let mostSegments: UInt32
    /// Whether each packet has an Ethernet header in front of the IP header.
    package let isEthernet: Bool
    /// Whether it leads from this machine to itself.
    package let isLoopback: Bool
    /// The kind of its own queue, such as `noqueue`.
    package let queue: String
    /// Its alias, which any program may set; empty if there is none.
    package let alias: String
    /// The number of its group; 0 by default.
    package let group: UInt32
    /// The index of the bridge, the bond or the like that it is a port of; nil if there is none.
    package let master: UInt32?
    /// The index of the interface that it is made on, as a VLAN is; nil if there is none in this network.
    package let lower: UInt32?

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
        isLoopback = flags & UInt32(IFF_LOOPBACK) != 0
        queue = attributes[Int(IFLA_QDISC)]?.text ?? ""
        alias = attributes[Int(IFLA_IFALIAS)]?.text ?? ""
        group = number(Int(IFLA_GROUP))
        master = attributes[Int(IFLA_MASTER)]?.integer()
        // A veth reports its other end there, which carries nothing of its own accord.
        let isOnAnother = kind != "veth" && attributes[Int(IFLA_LINK_NETNSID)] == nil
        let other: UInt32? = isOnAnother ? attributes[Int(IFLA_LINK)]?.integer() : nil
        lower = other == 0 || other == index ? nil : other
    }

    /// ARPHRD_ETHER and ARPHRD_LOOPBACK of linux/if_arp.h, which cannot be combined with that of glibc.
    private static let ethernets: Set<UInt16> = [1, 772]
}

/// An interface of a network, as messages and errors call it.
package struct NetworkInterface: Hashable, Sendable, CustomStringConvertible {
    package let index: UInt32
    package let name: String

    package init(index: UInt32, name: String) {
        (self.index, self.name) = (index, name)
    }

    package var description: String { name }
}

/// A name that an interface can have: 1 to 15 bytes, without white space, `/` and `:`.
package struct InterfaceName: Hashable, Sendable, CustomStringConvertible {
    /// Why a name is not valid.
    package struct Unfit: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package let description: String

    package init(_ text: String) throws(Unfit) {
        func unfit(_ reason: String) -> Unfit {
            let shown = String(text.prefix(40)).debugDescription
            return Unfit(description: "Could not use \(shown) as the name of an interface: \(reason).")
        }
        guard !text.isEmpty else { throw unfit("it is empty") }
        guard text.utf8.count <= Self.longest else {
            throw unfit("it has \(text.utf8.count) bytes; the maximum is \(Self.longest)")
        }
        guard text != ".", text != ".." else { throw unfit("it is the name of a folder") }
        // What the kernel's dev_valid_name() refuses, and what terminals interpret as commands.
        let isFit = text.utf8.allSatisfy {
            $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":")
        }
        guard isFit else { throw unfit("it has white space, a control character, '/' or ':'") }
        description = text
    }

    private static let longest = 15
}
