import ArgumentParser

/// `headwind link`: a real interface that the user names.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Shape a network interface of this machine by a profile, for a time.",
        discussion: """
            Everything that the interface carries is slowed down, of all programs and both ways, by the kernel's own \
            queues. Needs root, or CAP_NET_ADMIN.

              headwind link apply eth0 --profile 3g --for 10min --except 22
              headwind link show
              headwind link clear eth0
              headwind link page wlan0 --devices --rule '192.168.1.20 3g' \\
                --listen 192.168.1.1:8080 --allow 192.168.1.0/24

            For one program alone, and without root, there is 'headwind exec'.
            """,
        subcommands: [
            LinkApplyCommand.self, LinkShowCommand.self, LinkClearCommand.self, LinkPageCommand.self,
            LinkWatchCommand.self,
        ])
}
