import ArgumentParser
import Harness

/// `headwind doctor`: what this machine can do.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell what this machine can do, and what to do about what it cannot.",
        discussion: """
            Tries each backend of links. 'packet' puts host and client into networks of their own and moves real \
            packets between them; it needs user namespaces and /dev/net/tun, and no root. 'proxy' models a link for \
            streams, and needs nothing.

            Examples:

              headwind doctor
              headwind doctor --require packet || echo "no packets here"
            """)

    @Option(help: ArgumentHelp("End with status 69 where this backend cannot be used.", valueName: "backend"))
    var require: LinkBackend?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let backends = try await Backends.probe()
        switch output.format {
        case .json: try Console.json(["backends": backends.rows])
        case .text: for row in backends.rows { row.lines.forEach(Console.out) }
        }
        guard let require, let row = backends.rows.first(where: { $0.backend == require.rawValue }), !row.isAvailable
        else { return }
        throw ExitCode(ExitStatus.unavailable.rawValue)
    }
}

extension Backends.Row {
    /// The backend with its word, and below it why and what to do.
    fileprivate var lines: [String] {
        let name = backend + String(repeating: " ", count: max(0, 8 - backend.count))
        let word = isAvailable ? "yes" : "NO "
        var lines = ["\(name)\(word)  fidelity: \(fidelity)"]
        lines += ([cause, remedy].compactMap { $0 } + notes).map { String(repeating: " ", count: 13) + $0 }
        return lines
    }
}
