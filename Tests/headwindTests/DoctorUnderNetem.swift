import Glibc
import Testing

@testable import Links
@testable import headwind

/// `headwind doctor` on a machine with netem and without pressure counts: the kernel of Scripts/netem-test.
@Suite(.needsNetemTest, .timeLimit(.minutes(1))) struct DoctorUnderNetem {
    @Test func everyPropertyThatKernelQueuesSupportIsListed() async throws {
        let report = try await MachineReport.make()
        #expect(report.kernelParts?.allSatisfy(\.isAvailable) == true)
        for row in report.properties {
            let kernel = try #require(row.backends.first { $0.backend == "kernel" })
            // No kernel's queues support these.
            let never: [LinkProperty] = [.offline, .stall, .trace]
            #expect((kernel.ability == .packets) == !never.contains(row.property), "\(row)")
        }
        let lines = DoctorText(report).lines
        #expect(lines.contains { $0.hasPrefix("  netem     yes  for ") }, "\(lines)")
        #expect(lines.contains("  pressure  unknown: this kernel does not count it (CONFIG_PSI)"), "\(lines)")
    }
}
