package import Netlink

/// A part of the kernel's traffic control, and whether this machine has it.
package struct KernelPart: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Delays, loses, duplicates and changes packets; see tc-netem(8).
        case netem
        /// Limits the rate; see tc-tbf(8).
        case tbf
        /// Limits the rates of classes; see tc-htb(8).
        case htb
        /// Applies filters to incoming packets.
        case ingress
        /// A filter; see tc-u32(8).
        case u32
        /// Sends packets out by another interface; see tc-mirred(8).
        case mirred
        /// An interface that can queue incoming packets.
        case ifb
        /// A pair of interfaces: packets that one sends arrive at the other.
        case veth
    }

    package var kind: Kind
    /// Why it is not available; nil if it is.
    package var error: NetlinkError?

    package init(_ kind: Kind, error: NetlinkError? = nil) {
        self.kind = kind
        self.error = error
    }

    package var isAvailable: Bool { error == nil }

    /// Tries each part in a temporary sandbox.
    ///
    /// The kernel may load a module for it. Throws `SandboxError` if this machine can make no sandbox.
    package static func probe() async throws -> [KernelPart] {
        try await withSandbox { try await probe(in: $0) }
    }

    /// Tries each part in the router's network of a sandbox, and removes it again.
    package static func probe(in sandbox: Sandbox) async throws -> [KernelPart] {
        let probe = KernelProbe(try RouteSocket(adopting: await sandbox.routeSocket(on: .router)))
        return Kind.allCases.map { kind in
            do throws(NetlinkError) {
                try probe.attempt(kind)
                return KernelPart(kind)
            } catch {
                return KernelPart(kind, error: error)
            }
        }
    }
}
