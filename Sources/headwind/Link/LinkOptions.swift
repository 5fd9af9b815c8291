import ArgumentParser

/// The requested shape of an interface, as options of `apply` and its watchdog.
struct LinkOptions: ParsableArguments {
    /// Completes the interfaces of this network, without loopback and Headwind's own.
    static let interfaces = CompletionKind.shellCommand("ls /sys/class/net | grep -v -e '^lo$' -e '^hwin'")

    @Argument(help: "The interface, such as eth0; 'ip link' lists them.", completion: interfaces)
    var interface: String

    @Option(
        help: """
            The link: the name of a profile, or the path of a profile's file. With rules it shapes the other traffic. \
            (default, with rules: not shaped)
            """, completion: ProfileCommand.names)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            """
            Another profile for the traffic of a device, network or port, as in '192.168.1.20 3g', '02:00:00:00:00:01 \
            edge' or '443 lte'. May be repeated; the first rule that matches a packet applies.
            """, valueName: "match profile"))
    var rule: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file with rules, or what 'headwind link show --format json' printed. Rules of --rule come first.",
            valueName: "file"), completion: .file(extensions: ["yaml", "yml", "json"]))
    var rules: String?

    @Flag(
        help: """
            The devices are behind this interface, as on a gateway or access point: it sends their downloads and \
            receives their uploads.
            """)
    var devices = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long to shape it, such as 90s, 10min or 2h; or 'ever': until 'headwind link clear'.", valueName: "time"
        ))
    var time = "10min"

    @Option(
        help: ArgumentHelp(
            "Do not shape this port (TCP and UDP, either side), address, network or MAC address. May be repeated.",
            valueName: "cidr|port|mac"))
    var except: [String] = []

    @Flag(help: "Replace a root queueing discipline that another program set.")
    var replace = false

    /// The options as words of a command line.
    var words: [String] {
        let options: [(String, [String])] = [
            ("profile", [profile].compactMap(\.self)), ("rule", rule), ("rules", [rules].compactMap(\.self)),
            ("for", [time]), ("except", except),
        ]
        return options.flatMap { name, values in values.map { "--\(name)=\($0)" } } + (devices ? ["--devices"] : [])
            + (replace ? ["--replace"] : []) + ["--", interface]
    }

    func validate() throws {
        guard profile == nil, rule.isEmpty, rules == nil else { return }
        throw ValidationError("Give a profile: --profile 3g, or --rule '192.168.1.20 3g' for some of the traffic.")
    }
}
