import ArgumentParser
import Links
import Scenarios

/// The option that gives addresses to the names of foreign hosts.
struct ResolveOptions: ParsableArguments {
    @Option(
        name: .customLong("resolve"), parsing: .singleValue,
        help: ArgumentHelp(
            "Use this address for a host name, such as staging.example:192.0.2.7. May be repeated. "
                + "(default: this machine's resolver)",
            valueName: "name:address"), transform: { try ResolvedName(parsing: $0) })
    var names: [ResolvedName] = []

    func validate() throws {
        for name in names where names.contains(where: { $0.name == name.name && $0.address != name.address }) {
            throw ValidationError("--resolve gives '\(name.name)' two addresses: leave one of them out.")
        }
    }

    /// Throws ``CommandFailure`` if no cell would use the names.
    func check(_ cells: [Cell]) throws {
        guard !names.isEmpty, cells.allSatisfy(\.content.isOurs) else { return }
        throw CommandFailure(
            .usage, "--resolve needs a scenario with a 'host' or a 'network', and none of these has one. Leave it out.")
    }
}
