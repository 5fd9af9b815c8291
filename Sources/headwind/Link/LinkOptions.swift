import ArgumentParser
import InterfaceShaping
import KernelLink
import LinkModel
import Scenarios
import SystemPackage

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
        file: "A file with rules, or what 'headwind link show --format json' printed. Rules of --rule come first.",
        ["yaml", "yml", "json"])
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

extension LinkOrder {
    /// Reads the options; throws an error with one sentence if one is wrong.
    init(_ options: LinkOptions) throws {
        try InterfaceLinks.check(name: options.interface)
        let time = try Self.time(options.time)
        let file = try options.rules.map { try Self.rules($0, interface: options.interface) }
        let texts = options.except + (file?.exceptions ?? [])
        let exceptions = try texts.map { (text: String) throws -> LinkSelector in
            do throws(LinkSelector.Unreadable) { return try LinkSelector(parsing: text) } catch {
                let shown = String(text.prefix(60)).debugDescription
                throw CommandFailure.invalidInput("Could not use the exception \(shown): \(error.reason).")
            }
        }
        let own = try options.rule.map { text in
            let (selector, profile) = try LinkRule.parts(of: text)
            return LinkRule(selector, try ProfileCommand.named(profile))
        }
        let others = try (file?.rules ?? []).map { rule in
            LinkRule(try LinkRule.selector(rule.match, of: "\(rule.match) \(rule.profile.name)"), rule.profile)
        }
        let shape = try InterfaceShape(
            try options.profile.map(ProfileCommand.named) ?? file?.profile, rules: own + others,
            exceptions: Self.each(exceptions), leadsToDevices: options.devices || file?.hasDevices == true)
        self.init(interface: options.interface, shape: shape, time: time, replaces: options.replace)
    }

    /// The rules of a file for an interface.
    static func rules(_ path: String, interface: String) throws -> LinkRulesFile {
        try LinkRulesFile.read(FilePath(path), interface: interface, library: ProfileCommand.library())
    }

    /// The exceptions without duplicates, in their order.
    private static func each(_ exceptions: [LinkSelector]) -> [LinkSelector] {
        exceptions.enumerated().filter { !exceptions[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private static func time(_ text: String) throws -> Duration? {
        if text == "ever" { return nil }
        func invalid(_ reason: String) -> CommandFailure {
            CommandFailure.invalidInput("Could not use the time '\(text)': \(reason)")
        }
        let time: Duration
        do { time = try Duration(parsing: text) } catch { throw invalid("\(error). Or write 'ever'.") }
        guard time >= .seconds(1), time <= longest else {
            throw invalid("it must be between 1 s and 8760 h; for longer, write 'ever'.")
        }
        return time
    }

    private static let longest = Duration.seconds(8760 * 3600)
}

extension InterfaceLinkError: ErrorWithStatus {
    var exitStatus: ExitStatus {
        switch kind {
        case .request: .invalidInput
        case .machine: .unavailable
        case .privilege: .noPermission
        case .others: .infrastructure
        }
    }
}
