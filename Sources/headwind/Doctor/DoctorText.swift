import Links
import Wording

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
