import Glibc
import Netlink
import SandboxMessages
import SystemPackage
import Testbed
import Testing

/// The probe finds the kernel's parts of traffic control, and leaves nothing.
///
/// Scripts/netem-test runs the suite too, in a kernel that has all parts.
@Suite(.timeLimit(.minutes(1))) struct KernelPartsUnderNetem {
    @Test func everyPartIsTried() async throws {
        let parts = try await KernelPart.probe()
        #expect(parts.map(\.kind) == KernelPart.Kind.allCases)
        for part in parts where !part.isAvailable {
            #expect(!isUnderNetem, "\(part.error?.description ?? "")")
            #expect(part.error?.missingPart != nil, "\(part.error?.description ?? "")")
        }
    }

    /// Compares with tc(8) and ip(8) in a network of the same kernel, which needs root.
    @Test(
        .needsRoot,
        arguments: [
            (KernelPart.Kind.netem, "tc qdisc add dev lo root netem delay 1ms"),
            (.tbf, "tc qdisc add dev lo root tbf rate 1mbit burst 3000 limit 3000"),
            (.htb, "tc qdisc add dev lo root htb"), (.ingress, "tc qdisc add dev lo ingress"),
            (
                .u32,
                "tc qdisc add dev lo root handle 1: htb; tc filter add dev lo parent 1: protocol all u32 match u32 0 0 classid 1:1"
            ),
            (.ifb, "ip link add hw0 type ifb"), (.veth, "ip link add hw0 type veth peer name hw1"),
        ])
    func theProbeAgreesWithTools(kind: KernelPart.Kind, command: String) async throws {
        let status = system("unshare -n sh -ec 'ip link set lo up; \(command)' > /dev/null 2>&1")
        let part = try await KernelPart.probe().first { $0.kind == kind }
        #expect(part?.isAvailable == (status == 0), "\(part?.error?.description ?? "")")
    }

    /// The probe leaves its network unchanged.
    @Test func nothingIsLeft() async throws {
        try await withSandbox { sandbox in
            func state() async throws -> String {
                try await output(of: "ip -o link; tc qdisc; tc filter show dev lo", in: sandbox, .router)
            }
            let before = try await state()
            #expect(before.contains("lo:"))
            for _ in 0..<2 { _ = try await KernelPart.probe(in: sandbox) }
            #expect(try await state() == before)
        }
    }

    /// The socket belongs to the sandbox's network, though this process holds it.
    @Test(arguments: SandboxNamespace.allCases)
    func aRouteSocketIsOfItsNetwork(namespace: SandboxNamespace) async throws {
        try await withSandbox { sandbox in
            let socket = try RouteSocket(adopting: await sandbox.routeSocket(on: namespace))
            let names = try socket.interfaces().map(\.interface.name).sorted()
            let seen = try await output(of: "ls /sys/class/net || true; ip -o link", in: sandbox, namespace)
            #expect(names.allSatisfy { seen.contains("\($0):") } && names.contains("lo"), "\(names) \(seen)")
            #expect((names.count > 1) == (namespace != .router))
        }
    }
}
