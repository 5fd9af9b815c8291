import CNetlink
import Glibc
package import SystemPackage

/// Requests to make and remove virtual interfaces.
package enum VirtualInterface {
    /// The request to make two interfaces, which are the two ends of a cable; the second is in `peerNamespace` if it is
    /// given.
    ///
    /// No packet that they carry is larger than on the wire: the kernel makes one of one segment.
    package static func pair(
        _ name: InterfaceName, _ peer: InterfaceName, peerNamespace: FileDescriptor? = nil
    ) -> RouteMessage {
        // The peer has a header and attributes of its own, as if it were a message.
        var other = NetlinkAttributes()
        addWire(named: peer, to: &other)
        if let peerNamespace { other.add(Int(IFLA_NET_NS_FD), UInt32(bitPattern: peerNamespace.rawValue)) }
        let second = interfaceHeader(index: 0) + other.bytes
        return message("interfaces \(name) and \(peer)", name, kind: "veth", option: "CONFIG_VETH") { information in
            information.nest(Int(IFLA_INFO_DATA)) { $0.add(Int(VETH_INFO_PEER), second) }
        }
    }

    /// The request to make an `ifb`, on which incoming traffic of other interfaces can be queued; see tc-mirred(8).
    ///
    /// If `group` is given, the `ifb` is in it from its first moment.
    package static func intermediate(_ name: InterfaceName, group: UInt32? = nil) -> RouteMessage {
        var request = message("interface \(name)", name, kind: "ifb", option: "CONFIG_IFB")
        if let group { request.attributes.add(Int(IFLA_GROUP), group) }
        return request
    }

    /// The request to remove an interface; the other one of a pair goes with it.
    package static func removal(of interface: NetworkInterface) -> RouteMessage {
        let purpose = RequestPurpose("remove interface \(interface)")
        return RouteMessage(Int(RTM_DELLINK), header: interfaceHeader(index: interface.index), for: purpose)
    }

    private static func message(
        _ what: String, _ name: InterfaceName, kind: String, option: String,
        _ information: (inout NetlinkAttributes) -> Void = { _ in }
    ) -> RouteMessage {
        let part = RequestPurpose.Part(lack: "no interfaces of the kind \(kind)", module: kind, option: option)
        let purpose = RequestPurpose("make the \(what)", part: part)
        let flags = NLM_F_CREATE | NLM_F_EXCL
        return RouteMessage(Int(RTM_NEWLINK), flags: flags, header: interfaceHeader(index: 0), for: purpose) {
            attributes in
            addWire(named: name, to: &attributes)
            attributes.nest(Int(IFLA_LINKINFO)) {
                $0.add(Int(IFLA_INFO_KIND), kind)
                information(&$0)
            }
        }
    }

    private static func addWire(named name: InterfaceName, to attributes: inout NetlinkAttributes) {
        attributes.add(Int(IFLA_IFNAME), name.description)
        attributes.add(Int(IFLA_GSO_MAX_SEGS), UInt32(1))
    }
}
