import ArgumentParser
import InterfaceShaping
import KernelLink
import Wording

/// `headwind link`: shapes a real interface that the user names.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Shape a network interface of this machine by a profile, for a time.",
        discussion: """
            The kernel's own queues slow down all traffic of the interface, of all programs and in both directions. \
            Needs root, or CAP_NET_ADMIN.

              headwind link apply eth0 --profile 3g --for 10min --except 22
              headwind link show
              headwind link clear eth0
              headwind link page wlan0 --devices --rule '192.168.1.20 3g' \\
                --listen 192.168.1.1:8080 --allow 192.168.1.0/24

            For a single program, and without root, use 'headwind exec'.
            """,
        subcommands: [
            LinkApplyCommand.self, LinkShowCommand.self, LinkClearCommand.self, LinkPageCommand.self,
            LinkWatchCommand.self,
        ])
}

/// `headwind link clear`: removes Headwind's shapes from interfaces.
struct LinkClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Stop shaping an interface now.",
        discussion: """
            The interface gets its own queues back. It succeeds too if the interface is not shaped. Needs root, or \
            CAP_NET_ADMIN.

              headwind link clear eth0
              headwind link clear --all
            """
    )

    @Argument(help: "The interface.", completion: LinkOptions.interfaces)
    var interface: String?

    @Flag(help: "Every interface of this network namespace.")
    var all = false

    func validate() throws {
        guard (interface == nil) == all else {
            throw ValidationError("Give an interface or --all: headwind link clear eth0, or headwind link clear --all.")
        }
    }

    func run() async throws {
        let links = try InterfaceLinks()
        let found = try links.find(named: interface)
        if found.isEmpty { Console.note("Headwind does not shape \(interface ?? "any interface").") }
        var failures: [any Error] = []
        for one in found {
            // If one cannot be removed, still remove the others.
            do { try Self.clear(one, links) } catch {
                failures.append(error)
                if found.count > 1 { Console.note("\(one.name): not cleared: \(error)") }
            }
        }
        if let failure = failures.first { throw failure }
    }

    /// Ends the watchdog, and removes the rest of the shape, or all of it if there is no watchdog any more.
    static func clear(_ found: InterfaceLinks.Found, _ links: InterfaceLinks) throws {
        let kept = try links.keptIngress(found)
        _ = found.mark?.keeper.end(patience: patience)
        if let target = found.target {
            try LinkLock.hold(target.interface.index, insists: true) {
                if let rest = try links.find(on: target) { try links.remove(rest) }
            }
        } else {
            try links.remove(found)
        }
        Console.out("\(found.name): cleared")
        if let replaced = found.mark?.replaced, let target = found.target {
            let isBack = try links.isThere(replaced, on: target)
            Console.out("  " + (isBack ? "\(replaced.name) is back" : "the kernel's default replaces \(replaced.name)"))
        }
        guard let kept else { return }
        let reason =
            switch kept {
            case .hasFiltersOfOthers:
                "other programs have filters there: see 'tc filter show dev \(found.name) ingress'"
            case .hasNoMark:
                "it has no mark of Headwind's; remove it with 'tc qdisc del dev \(found.name) ingress'"
            }
        Console.out("  its ingress queue stays: \(reason)")
    }

    private static let patience = Duration.seconds(10)
}
