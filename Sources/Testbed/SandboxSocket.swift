package import SystemPackage

/// A socket that is bound in a sandbox.
///
/// The descriptor is close-on-exec and non-blocking, and the caller's to close, before the scope of the sandbox ends: an open
/// socket keeps its network alive.
package struct SandboxSocket: Sendable {
    package enum Kind: Sendable {
        case tcp
        case udp
    }

    package let descriptor: FileDescriptor
    /// `nil` where it is not bound.
    package let port: UInt16?
}

/// The version of the Internet Protocol.
package enum SandboxFamily: Int, Sendable, CaseIterable {
    case ipv4 = 4
    case ipv6 = 6
}
