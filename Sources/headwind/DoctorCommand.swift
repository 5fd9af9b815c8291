import ArgumentParser
import Links
import LinuxSupport
import Testbed
import Wording

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

/// The text output of `headwind doctor`.
struct DoctorText {
    private let report: MachineReport

    init(_ report: MachineReport) { self.report = report }

    /// All lines of the output.
    var lines: [String] { report.backends.flatMap(Self.lines) + [""] + properties + [""] + kernel + [""] + noise }

    /// A backend with "yes" or "NO"; the cause, the remedy and notes follow below.
    private static func lines(of row: Backends.Row) -> [String] {
        let word = row.isAvailable ? "yes" : "NO "
        let lines = ["\(row.backend.padded(to: 8))\(word)  fidelity: \(row.fidelity)"]
        return lines + ([row.cause, row.remedy].compactMap { $0 } + row.notes).map { "".padded(to: 13) + $0 }
    }

    private var properties: [String] {
        let columns = report.properties.first?.backends.map(\.backend) ?? []
        let head = "A link can have".padded(to: 20) + columns.map { $0.padded(to: 10) }.joined()
        return [Self.trimmed(head)]
            + report.properties.map { row in
                let words = row.backends.map { Self.word($0.ability).padded(to: 10) }.joined()
                let reasons = row.backends.compactMap { cell in
                    cell.ability.reason.map { "\(cell.backend): \($0)" }
                }
                return Self.trimmed("  \(row.property.title)".padded(to: 20) + words + reasons.joined(separator: "; "))
            }
    }

    private static func word(_ ability: LinkAbility) -> String {
        switch ability {
        case .packets: "yes"
        case .modelled: "modelled"
        case .no: "NO"
        }
    }

    private var kernel: [String] {
        guard let parts = report.kernelParts else {
            return ["This kernel's traffic control is unknown: the test needs a sandbox with its own network."]
        }
        return ["This kernel's traffic control has"]
            + parts.flatMap { part in
                let word = part.isAvailable ? "yes" : "NO "
                let line = "  \(part.part.padded(to: 10))\(word)  for \(part.purpose)"
                return [line] + [part.cause, part.remedy].compactMap { $0 }.map { "".padded(to: 17) + $0 }
            }
    }

    private var noise: [String] {
        let noise = report.noise
        let usual = Self.milliseconds(noise.usualLatenessSeconds)
        let latest = Self.milliseconds(noise.latestWakeSeconds)
        var lines = [
            "This machine, over \(noise.seconds) s",
            "  timers    "
                + (usual.flatMap { usual in
                    latest.map { "99 of 100 wake-ups are at most \(usual) late, the worst \($0)" }
                } ?? "unknown: no thread was available"),
            "  pressure  "
                + (noise.pressureRatio.map { "a process waited for a processor \(Self.percent($0)) of the time" }
                    ?? "unknown: this kernel does not count it (CONFIG_PSI)"),
            "  steal     "
                + (noise.stealRatio.map { "\(Self.percent($0)) of the processors' time went to other machines" }
                    ?? "unknown: this kernel does not count it"),
        ]
        if noise.exceedsLimits {
            lines.append("  Too busy: an attempt under this load does not count, and is repeated.")
        }
        return lines
    }

    private static func trimmed(_ line: String) -> String { String(line.reversed().drop { $0 == " " }.reversed()) }

    private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }

    private static func milliseconds(_ seconds: Double?) -> String? {
        seconds.map { "\(($0 * 100_000).rounded() / 100) ms" }
    }
}
