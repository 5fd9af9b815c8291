import ArgumentParser
import Harness
import Links
import Testbed

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
