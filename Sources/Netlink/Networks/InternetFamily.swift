import Glibc

/// IPv4 or IPv6, as netlink calls them.
package enum InternetFamily: Hashable, Sendable, CaseIterable {
    case v4, v6

    /// `AF_INET` or `AF_INET6`.
    var number: UInt8 { UInt8(self == .v4 ? AF_INET : AF_INET6) }

    /// Bytes of an address.
    package var addressSize: Int { self == .v4 ? 4 : 16 }
}
