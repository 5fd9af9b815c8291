package import Netlink

/// A part of the kernel that its traffic control is made of, and whether this machine has it.
package struct KernelPart: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Delays, loses, doubles and changes packets; see tc-netem(8).
        case netem
        /// A rate; see tc-tbf(8).
        case tbf
        /// Rates of classes; see tc-htb(8).
        case htb
        /// Has filters look at what comes in.
        case ingress
        /// A filter; see tc-u32(8).
        case u32
        /// Sends packets out by another interface; see tc-mirred(8).
        case mirred
        /// An interface on which what comes in can be queued.
        case ifb
        /// Two interfaces, each of which is the other's cable.
        case veth
    }

    package var kind: Kind
    /// Why it cannot be had; nil where it can.
    package var error: NetlinkError?

    package init(_ kind: Kind, error: NetlinkError? = nil) {
        self.kind = kind
        self.error = error
    }

    package var isAvailable: Bool { error == nil }

    /// Tries each of them in a sandbox of its own, with which everything goes.
    ///
    /// The kernel may load a module that it has not loaded yet. Throws `SandboxError` where there is no sandbox to be had.
    package static func probe() async throws -> [KernelPart] {
        try await withSandbox { try await probe(in: $0) }
    }

    /// Tries each of them in the router's network of a sandbox, and removes what was made.
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
