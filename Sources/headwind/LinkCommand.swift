import ArgumentParser

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
