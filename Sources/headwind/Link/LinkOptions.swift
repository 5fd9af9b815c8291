import ArgumentParser

/// What is wanted of an interface, as `apply` and its watchdog take it.
struct LinkOptions: ParsableArguments {
    /// Those of this network, without loopback and Headwind's own.
    static let interfaces = CompletionKind.shellCommand("ls /sys/class/net | grep -v -e '^lo$' -e '^hwin'")

    @Argument(help: "The interface, such as eth0; 'ip link' lists them.", completion: interfaces)
    var interface: String

    @Option(
        help: "The link: the name of a profile, or the path of a profile's file.", completion: ProfileCommand.names)
    var profile: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long, such as 90s, 10min or 2h; or 'ever': until 'headwind link clear'.", valueName: "time"))
    var time = "10min"

    @Option(
        help: ArgumentHelp(
            "Do not shape this port (TCP and UDP, either side), address or network. May be repeated.",
            valueName: "cidr|port"))
    var except: [String] = []

    @Flag(help: "Replace a root queueing discipline that another program set.")
    var replace = false

    /// The same on a command line.
    var words: [String] {
        ["--profile=\(profile)", "--for=\(time)"] + except.map { "--except=\($0)" } + (replace ? ["--replace"] : [])
            + ["--", interface]
    }
}
