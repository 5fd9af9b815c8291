import Foundation
import Glibc
import Testbed
import Testing

@testable import Links
@testable import headwind

/// `headwind doctor`: what it reports about a machine.
@Suite(.timeLimit(.minutes(1))) struct DoctorTests {

    private static func report(packets: Bool, _ noise: MachineNoise) -> MachineReport {
        let backends = [
            Backends.Row(
                backend: "packet", isAvailable: packets, fidelity: "packet", reason: packets ? nil : "no-tun",
                cause: packets ? nil : "No TUN.", remedy: packets ? nil : "Load it.", notes: []),
            Backends.Row(backend: "proxy", isAvailable: true, fidelity: "modelled", notes: ["A note."]),
        ]
        // Many small kernels have every part but netem.
        let kernel = KernelPart.Kind.allCases.filter { $0 != .netem }.map { KernelPart($0) }
        let refusal = SandboxCapability.failed(.failed(attempted: "open the TUN device", .permissionDenied))
        let machine = LinkMachine(
            sandboxes: packets ? .available(notes: []) : refusal,
            kernel: packets
                ? KernelCapability(sandbox: .available(notes: []), parts: kernel)
                : KernelCapability(sandbox: refusal, parts: nil))
        let parts = [
            KernelPartRow(
                part: "netem", isAvailable: false, purpose: "delay", cause: "No netem.", remedy: "Load netem."),
            KernelPartRow(part: "tbf", isAvailable: true, purpose: "rates"),
        ]
        return MachineReport(
            backends: backends, properties: PropertyRow.all(on: machine),
            kernelParts: packets ? parts : nil,
            noise: noise)
    }

    private static func noise(p99: Double?, latest: Double?, pressure: Double?, steal: Double?, over: Bool)
        -> MachineNoise
    {
        MachineNoise(
            seconds: 0.5, wakeUps: 100, usualLatenessSeconds: p99, latestWakeSeconds: latest, pressureRatio: pressure,
            stealRatio: steal, exceedsLimits: over)
    }

    @Test func everyPropertyHasALineWithAWordForEachBackend() {
        let noise = Self.noise(p99: 0.000_123, latest: 0.0042, pressure: 0.125, steal: 0, over: false)
        let lines = DoctorText(Self.report(packets: true, noise)).lines
        #expect(
            lines == [
                "packet  yes  fidelity: packet",
                "proxy   yes  fidelity: modelled",
                "             A note.",
                "",
                "A link can have     packet    kernel    proxy",
                "  rate              yes       yes       modelled",
                "  delay             yes       NO        modelled  kernel: needs netem",
                "  jitter            yes       NO        modelled  kernel: needs netem",
                "  random loss       yes       NO        modelled  kernel: needs netem",
                "  loss in bursts    yes       NO        modelled  kernel: needs netem",
                "  duplicate         yes       NO        NO        "
                    + "kernel: needs netem; proxy: TCP hides it from a stream",
                "  reorder           yes       NO        NO        "
                    + "kernel: needs netem; proxy: TCP hides it from a stream",
                "  corrupt           yes       NO        modelled  kernel: needs netem",
                "  queue             yes       yes       modelled",
                "  dns-delay         yes       NO        modelled  kernel: needs netem",
                "  offline, all four yes       NO        modelled  "
                    + "kernel: its queues drop packets, but cannot answer; they support 'offline: silent'",
                "  stall             yes       NO        modelled  "
                    + "kernel: its queues cannot hold packets without losing some",
                "  trace             yes       NO        modelled  "
                    + "kernel: its queues have rates, but no delivery times",
                "  mtu               yes       yes       modelled",
                "  UDP, QUIC, ICMP   yes       yes       NO        proxy: a proxy carries only streams",
                "",
                "This kernel's traffic control has",
                "  netem     NO   for delay",
                "                 No netem.",
                "                 Load netem.",
                "  tbf       yes  for rates",
                "",
                "This machine, over 0.5 s",
                "  timers    99 of 100 wake-ups are at most 0.12 ms late, the worst 4.2 ms",
                "  pressure  a process waited for a processor 12.5 % of the time",
                "  steal     0.0 % of the processors' time went to other machines",
            ])
    }

    @Test func missingAndUnknownPartsAreReported() {
        let noise = Self.noise(p99: nil, latest: nil, pressure: nil, steal: nil, over: true)
        let lines = DoctorText(Self.report(packets: false, noise)).lines
        #expect(lines[0...2] == ["packet  NO   fidelity: packet", "             No TUN.", "             Load it."])
        #expect(lines.contains("  rate              NO        NO        modelled"))
        #expect(
            lines.contains("This kernel's traffic control is unknown: the test needs a sandbox with its own network."))
        #expect(lines.contains("  timers    unknown: no thread was available"))
        #expect(lines.contains("  pressure  unknown: this kernel does not count it (CONFIG_PSI)"))
        #expect(lines.contains("  steal     unknown: this kernel does not count it"))
        #expect(lines.last?.contains("does not count, and is repeated") == true)
    }

    /// The JSON of this machine, which must have the packet backend.
    @Test func jsonHasTheSameFacts() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let told = try await run.run("exec $HW doctor --format json --require packet")
        #expect(told.status == 0, "\(told.errors)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [String: Any])
        #expect(json["version"] as? Int == 1)
        let backends = try #require(json["backends"] as? [[String: Any]])
        #expect(backends.map { $0["backend"] as? String } == ["packet", "kernel", "proxy"])
        let properties = try #require(json["properties"] as? [[String: Any]])
        #expect(properties.compactMap { $0["property"] as? String } == LinkProperty.allCases.map(\.rawValue))
        let duplicate = try #require(
            properties.first { $0["property"] as? String == "duplicate" }?["backends"] as? [[String: String]])
        #expect(
            duplicate == [
                ["backend": "packet", "ability": "packet"], duplicate[1],
                ["backend": "proxy", "ability": "no", "reason": "TCP hides it from a stream"],
            ])
        let parts = try #require(json["kernel"] as? [[String: Any]])
        #expect(parts.compactMap { $0["part"] as? String } == KernelPart.Kind.allCases.map(\.rawValue))
        let noise = try #require(json["noise"] as? [String: Any])
        #expect(try #require(noise["wake_ups"] as? Int) > 50)
        #expect(try #require(noise["p99_wake_seconds"] as? Double) >= 0)
        // Unknown is absent, never a number.
        let counts = FileManager.default.fileExists(atPath: "/proc/pressure/cpu")
        #expect((noise["pressure_ratio"] != nil) == counts)
    }
}
