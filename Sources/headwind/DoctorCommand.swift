import ArgumentParser
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

/// A capability that `headwind doctor --require` names: a backend, or a part of the kernel's traffic control.
struct Capability: ExpressibleByArgument, Equatable {
    let name: String

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        name = argument
    }

    static let allValueStrings = LinkBackend.allCases.map(\.rawValue) + KernelPart.Kind.allCases.map(\.rawValue)

    var defaultValueDescription: String { name }

    /// Why the machine lacks it, and the remedy, as sentences; nil if the machine has it.
    func lack(in report: MachineReport) -> String? {
        if let row = report.backends.first(where: { $0.backend == name }) {
            return row.isAvailable ? nil : Self.sentences(row.cause, row.remedy)
        }
        guard let parts = report.kernelParts else {
            let sandboxes = report.backends.first { $0.cause != nil }
            return Self.sentences(
                "The test needs a sandbox, and this machine cannot create one.", sandboxes?.cause, sandboxes?.remedy)
        }
        let lacking = parts.filter { $0.part == name && !$0.isAvailable }
        return lacking.isEmpty ? nil : lacking.map { Self.sentences($0.cause, $0.remedy) }.joined(separator: " ")
    }

    private static func sentences(_ parts: String?...) -> String { parts.compactMap(\.self).joined(separator: " ") }
}
