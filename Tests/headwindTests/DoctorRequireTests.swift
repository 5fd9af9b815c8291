import Testbed
import Testing

@testable import Links
@testable import headwind

/// `headwind doctor --require`: what a machine lacks, and how to get it.
@Suite(.timeLimit(.minutes(1))) struct DoctorRequireTests {
    private func report(_ parts: [KernelPartRow]?, kernel: Bool? = nil) -> MachineReport {
        func row(_ name: String, _ isAvailable: Bool) -> Backends.Row {
            Backends.Row(
                backend: name, isAvailable: isAvailable, fidelity: "packet", cause: isAvailable ? nil : "No \(name).",
                remedy: isAvailable ? nil : "Get \(name).", notes: [])
        }
        let backends = [row("packet", false), row("proxy", true)] + (kernel.map { [row("kernel", $0)] } ?? [])
        return MachineReport(
            backends: backends, properties: [], kernelParts: parts,
            noise: MachineNoise(seconds: 1, wakeUps: 1, exceedsLimits: false))
    }

    private func lack(_ name: String, _ report: MachineReport) throws -> String? {
        try #require(Capability(argument: name)).lack(in: report)
    }

    private func parts(lacking: String...) -> [KernelPartRow] {
        KernelPart.Kind.allCases.map(\.rawValue).map { name in
            let lacks = lacking.contains(name)
            return KernelPartRow(
                part: name, isAvailable: !lacks, purpose: "", cause: lacks ? "No \(name)." : nil,
                remedy: lacks ? "Load \(name)." : nil)
        }
    }

    @Test func backendsAndKernelPartsCanBeRequired() throws {
        let machine = report(parts(lacking: "netem", "ifb"), kernel: true)
        #expect(try lack("packet", machine) == "No packet. Get packet.")
        #expect(try lack("proxy", machine) == nil && lack("kernel", machine) == nil && lack("tbf", machine) == nil)
        #expect(try lack("netem", machine) == "No netem. Load netem.")
        // A required backend does not look at the kernel's parts.
        #expect(try lack("kernel", report(parts(lacking: "tbf"), kernel: true)) == nil)
        #expect(try lack("kernel", report(parts(), kernel: false)) == "No kernel. Get kernel.")
        #expect(
            try lack("netem", report(nil))
                == "The test needs a sandbox, and this machine cannot create one. No packet. Get packet.")
        #expect(Capability(argument: "nope") == nil)
    }

    /// Each missing requirement has a sentence; the listing stays the same.
    @Test func statusAndMessageNameTheMissingParts() async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let here = try await run.run("exec $HW doctor --require kernel --require proxy --require tbf")
        #expect(here.status == 0 && here.errors.isEmpty, "\(here.errors)")
        let both = try await run.run(
            "exec $CONFINE --no-user-namespaces -- $HW doctor --require packet --require netem")
        #expect(both.status == 69 && both.output.contains("packet  NO"), "\(both.output)")
        for name in ["packet", "netem"] {
            #expect(both.errors.contains("Required, but not available here: \(name). "), "\(both.errors)")
        }
        let unknown = try await run.run("exec $HW doctor --require packets")
        #expect(unknown.status == 64 && unknown.errors.contains("netem"), "\(unknown.errors)")
    }
}
