import ArgumentParser
import Harness
import Links
import LinuxSupport
import Testbed

/// `headwind doctor`: shows what this machine can do.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show what this machine can do, and how to add what is missing.",
        discussion: """
            Tests each backend, lists the profile properties that it supports here, tests the kernel's traffic \
            control, and measures the machine's load for half a second. 'packet' puts host and client into separate \
            networks and moves real packets between them; it needs user namespaces and /dev/net/tun, but not root. \
            'proxy' models a link for streams, and needs nothing. All tests run in temporary namespaces: they change \
            nothing on the machine.

            Examples:

              headwind doctor
              headwind doctor --format json > machine.json
              headwind doctor --require packet || echo "no packets here"
              headwind doctor --require kernel --require netem
            """)

    @Option(
        help: ArgumentHelp(
            "Exit with status 69 and a remedy if this machine lacks a "
                + "backend (\(LinkBackend.allCases.map(\.rawValue).joined(separator: ", "))) or a kernel feature "
                + "(\(KernelPart.Kind.allCases.map(\.rawValue).joined(separator: ", "))). May be repeated.",
            valueName: "capability"),
        completion: .list(Capability.allValueStrings))
    var require: [Capability] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        // Otherwise a limit of this process would be reported as a lack of the machine.
        try ResourceNeeds.sandboxProgram.check(for: "The report on this machine")
        let report = try await MachineReport.make()
        try output.print(report, lines: DoctorText(report).lines)
        let lacks = require.compactMap { capability in
            capability.lack(in: report).map { "Required, but not available here: \(capability.name). \($0)" }
        }
        guard lacks.isEmpty else { throw CommandFailure(.unavailable, lines: lacks) }
    }
}
