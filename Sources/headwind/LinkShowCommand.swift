import ArgumentParser
import Documents
import KernelLink

/// `headwind link show`: Headwind's shapes on the interfaces of this network.
struct LinkShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show which interfaces are shaped, until when, and their traffic.",
        discussion: """
            Rates, delays and losses are the current settings of the queues. Counters are the kernel's, since the \
            shape began. 'headwind link apply --rules' accepts its JSON output.

              headwind link show
              headwind link show eth0 --format json
            """
    )

    @Argument(help: "The interface. (default: all)", completion: LinkOptions.interfaces)
    var interface: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let links = try InterfaceLinks()
        let rows = try links.find(named: interface).map {
            LinkRow($0, try links.damage(to: $0), try links.state(of: $0))
        }
        if rows.isEmpty, output.format == .text {
            Console.note("Headwind does not shape \(interface ?? "any interface").")
        }
        let json = JSONTree.object(["version": .whole(2), "links": .list(rows.map(\.json))])
        try output.print(json, lines: rows.flatMap(\.lines))
    }
}
