import LinkModel
import Scenarios
import SystemPackage
import Testbed
import Testing

@testable import Harness
@testable import Links
@testable import Netlink

/// Which backend is chosen, on machines of all kinds.
@Suite struct BackendPlannerTests {
    private static func cell(_ link: String) throws -> Scenarios.Cell {
        let bench = try Bench()
        let run = try bench.prepare("link: \(link)\nbudgets: {requests: max <= 9}\n")
        return try #require(run.scenarios.first?.cells.first)
    }

    private static func planner(
        _ choice: LinkBackend?, packets: Bool, kernel lacks: Set<KernelPart.Kind>?, isCapturing: Bool = false
    ) -> BackendPlanner {
        let refusal = SandboxError.failed(attempted: "open the TUN device", .permissionDenied)
        let parts = KernelPart.Kind.allCases.map { kind in
            let part = RequestPurpose.Part(lack: "no \(kind.rawValue)", module: "x", option: "X")
            let error = NetlinkError(RequestPurpose("try", part: part), .noSuchFileOrDirectory)
            return KernelPart(kind, error: lacks?.contains(kind) == true ? error : nil)
        }
        return BackendPlanner(
            choice: choice,
            machine: LinkMachine(
                sandboxes: packets ? .available(notes: []) : .failed(refusal),
                kernel: lacks == nil
                    ? KernelCapability(sandbox: .failed(refusal), parts: nil)
                    : KernelCapability(sandbox: .available(notes: []), parts: parts)),
            isCapturing: isCapturing)
    }

    private static let slow = "{downlink: {rate: 1 Mbit/s}, uplink: {rate: 1 Mbit/s}}"
    private static let fast = "{downlink: {rate: 800 Mbit/s}, uplink: {rate: 800 Mbit/s}}"
    private static let delayed = "{downlink: {delay: 10 ms}, uplink: {delay: 10 ms}}"

    private struct Row {
        var link: String
        var packets: Bool
        /// What the kernel lacks; nil if there is no sandbox with a router either.
        var lacks: Set<KernelPart.Kind>?
        var backend: String
        var reason: String
    }

    private static let rows = [
        Row(link: slow, packets: true, lacks: [], backend: "packet", reason: "the first that works here"),
        Row(link: fast, packets: true, lacks: [], backend: "kernel", reason: "for a rate above 500 Mbit/s"),
        Row(link: fast, packets: true, lacks: [.tbf], backend: "packet", reason: "the first that works here"),
        Row(
            link: slow, packets: false, lacks: [.netem], backend: "kernel",
            reason: "because the packet backend cannot be used. A sandbox could not open the TUN device"),
        Row(
            link: delayed, packets: false, lacks: [.netem], backend: "proxy",
            reason: "the packet backend cannot be used. A sandbox could not open the TUN device"),
        Row(
            link: delayed, packets: false, lacks: [], backend: "kernel",
            reason: "because the packet backend cannot be used"),
        Row(link: slow, packets: false, lacks: nil, backend: "proxy", reason: "the packet backend cannot be used"),
        Row(
            link: "{profile: flaky-lte}", packets: false, lacks: [], backend: "proxy",
            reason: "the packet backend cannot be used"),
    ]

    @Test func auto() throws {
        for row in Self.rows {
            let planner = Self.planner(nil, packets: row.packets, kernel: row.lacks)
            let plan = planner.plan(for: try Self.cell(row.link).demand(authorities: []))
            #expect(plan.backend.rawValue == row.backend && plan.obstacle == nil, "\(row): \(plan)")
            #expect(plan.reason?.hasPrefix("auto: ") == true && plan.reason?.contains(row.reason) == true, "\(plan)")
            #expect((plan.shortfall != nil) == (row.backend == "proxy"), "\(row): \(plan)")
            let isSlow = plan.notes.contains {
                $0.contains("may be too slow here for a rate above 500 Mbit/s")
            }
            #expect(isSlow == (row.link == Self.fast && row.backend == "packet"), "\(row): \(plan)")
        }
    }

    /// The fidelity that a scenario names is kept: the kernel has packets too, a proxy has not.
    @Test func fidelityThatIsNamed() throws {
        let cell = try Self.cell("{fidelity: packet, downlink: {rate: 1 Mbit/s}, uplink: {rate: 1 Mbit/s}}")
        func plan(_ choice: LinkBackend?, _ packets: Bool, _ lacks: Set<KernelPart.Kind>?) -> BackendPlan {
            Self.planner(choice, packets: packets, kernel: lacks).plan(for: cell.demand(authorities: []))
        }
        #expect(plan(nil, true, []).backend == .packet && plan(nil, true, []).reason == nil)
        #expect(plan(nil, false, []).backend == .kernel)
        #expect(plan(.kernel, true, []).backend == .kernel)
        #expect(plan(.proxy, true, []).backend == .packet)
        #expect(plan(nil, false, nil).obstacle?.description.contains("asks for 'fidelity: packet'") == true)
        let refused = plan(.kernel, true, [.tbf]).obstacle?.description
        #expect(refused?.contains("this machine's kernel cannot shape the link. This kernel has no tbf") == true)
    }

    @Test func capturesRuleOutTheKernel() throws {
        let plan = Self.planner(nil, packets: true, kernel: [], isCapturing: true)
            .plan(for: try Self.cell(Self.fast).demand(authorities: []))
        #expect(plan.backend == .packet, "\(plan)")
        #expect(
            plan.notes.contains {
                $0.hasSuffix(
                    "cannot be used: '--capture' (the kernel does not report which packets it dropped, and why)")
            })
    }
}
