import ArgumentParser
import Harness
import Links
import LinuxSupport
import Testbed

/// `headwind doctor`: what this machine can do.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show what this machine can do, and how to add what is missing.",
        discussion: """
            Tries each backend of links, says which properties of a profile it can do here, tries the kernel's traffic \
            control, and watches for half a second how busy the machine is. 'packet' puts host and client into networks of their own and moves real \
            packets between them; it needs user namespaces and /dev/net/tun, and no root. 'proxy' models a link for \
            streams, and needs nothing. Everything is tried in namespaces that end with it: nothing of the machine is \
            changed.

            Examples:

              headwind doctor
              headwind doctor --format json > machine.json
              headwind doctor --require packet || echo "no packets here"
              headwind doctor --require kernel --require netem
            """)

    @Option(
        help: ArgumentHelp(
            "End with status 69, and say what to do, where this machine lacks a backend (\(LinkBackend.allCases.map(\.rawValue).joined(separator: ", "))) or a part of its kernel "
                + "(\(KernelPart.Kind.allCases.map(\.rawValue).joined(separator: ", "))). May be repeated.",
            valueName: "capability"),
        completion: .list(Capability.allValueStrings))
    var require: [Capability] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        // With less, a limit of this process would be told as what the machine lacks.
        try ResourceNeeds.sandboxProgram.check(for: "A look at this machine")
        let report = try await MachineReport.make()
        switch output.format {
        case .json: try Console.json(report)
        case .text: Console.out(lines: DoctorText(report).lines)
        }
        let lacks = require.compactMap { capability in
            capability.lack(in: report).map { "Required, but not available here: \(capability.name). \($0)" }
        }
        guard lacks.isEmpty else {
            throw CommandFailure(status: .unavailable, lines: lacks)
        }
    }
}
