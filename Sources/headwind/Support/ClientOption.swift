import ArgumentParser
import Harness
import Scenarios

/// `--client`: a program in the place of headwind-client.
struct ClientOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Test this program instead of headwind-client. It must accept the same command line and workload, and "
                + "send the same events (docs/reference/client.md).", valueName: "program"),
        completion: .file())
    var client: String?

    /// Headwind's own programs; a client that the user names replaces the built-in one.
    ///
    /// Throws ``CommandFailure`` if the client cannot be run, or if no scenario would use it.
    func programs(for scenarios: [Scenario]) throws -> Programs {
        var programs = Programs(beside: BundledFiles.executable)
        guard let client else { return programs }
        do { try programs.use(client: client) } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        guard scenarios.flatMap(\.cells).contains(where: \.workload.isBuiltIn) else {
            throw CommandFailure(
                .usage,
                "--client replaces headwind-client, but each of these scenarios runs its own command. Leave it out, or "
                    + "choose scenarios with requests.")
        }
        return programs
    }
}
