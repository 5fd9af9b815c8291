import ArgumentParser
import Documents
import Glibc
import Harness
import LinkModel
import Links
import LinuxSupport
import ProxyAPI
import ProxyLink
import Scenarios
import SystemPackage
import Wording

/// `headwind proxy`: runs a throttling proxy with a control API.
struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Run a throttling proxy until it is stopped.",
        discussion: """
            Clients that support proxies use the address printed as 'forward', over HTTP or SOCKS 5; others connect to \
            a reverse listener. All connections share one link. It prints addresses on stdout, and a line for each \
            connection on stderr.

              headwind proxy --profile 3g --listen 127.0.0.1:8080
              curl -x http://127.0.0.1:8080 https://example.com/
              curl -x socks5h://127.0.0.1:8080 https://example.com/

              headwind proxy --profile lte --control 127.0.0.1:8081 \\
                --reverse 8443=example.com:443
              curl -X PUT http://127.0.0.1:8081/v1/link -d '{"profile": "edge"}'
              curl -X PUT http://127.0.0.1:8081/v1/link -d '{"offline": "silent"}'
              curl http://127.0.0.1:8081/v1/link

              headwind proxy --toxiproxy 127.0.0.1:8474 --config toxiproxy.json
              curl http://127.0.0.1:8474/proxies

              headwind proxy --profile 3g --listen 0.0.0.0:8080 --allow 192.168.1.0/24
              headwind proxy --profile 3g --listen 0.0.0.0:8080 \\
                --auth phone:secret --allow-target localhost:3000 --control 0.0.0.0:8081
              curl -H "Authorization: Bearer $TOKEN" http://192.0.2.1:8081/v1/link

            Open the proxy's own address in a browser for a page that sets up a phone and has buttons to change the \
            link. Clients on other machines reach this machine's own addresses only if --allow-target permits it, and \
            the control API only with the printed token. Each proxy of Toxiproxy's API has its own link, which follows \
            --profile.

            SIGINT or SIGTERM resets open connections and stops the proxy; a second one stops it at once.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The link: the name of a profile, or the path of a profile's file. Optional with --toxiproxy; links then shape nothing."
        ),
        completion: ProfileCommand.names)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The address of the HTTP and SOCKS 5 proxy, or only a port of 127.0.0.1. (default: any free port; none "
                + "with --toxiproxy and no --profile)",
            valueName: "address:port"),
        transform: Endpoint.init(listening:))
    var listen: Endpoint?

    @Option(
        help: ArgumentHelp(
            "Also listen on PORT, and forward to HOST:PORT. May be repeated.", valueName: "port=host:port"),
        transform: ReverseOption.init(parsing:))
    var reverse: [ReverseOption] = []

    @OptionGroup var access: AccessOptions

    @OptionGroup var toxiproxy: ToxiproxyOptions

    @Option(
        help: ArgumentHelp("The address of the control API. (default: no control API)", valueName: "address:port"),
        transform: Endpoint.init(listening:))
    var control: Endpoint?

    @Option(
        help: ArgumentHelp(
            "The token that clients on other machines send to the control API. (default: "
                + "$\(ControlToken.variable), else a new one)",
            valueName: "token"))
    var controlToken: String?

    @Option(
        help: ArgumentHelp(
            "Let clients on other machines reach this target on this machine, or any port of it. May be repeated.",
            valueName: "host[:port]"),
        transform: { try Endpoint(allowed: $0) })
    var allowTarget: [Endpoint] = []

    @Option(
        help: ArgumentHelp(
            "The maximum number of connections at once, 1 to 1000000; each needs two descriptors.",
            valueName: "number"))
    var mostConnections = ProxyLimits().connections

    @Option(help: "The seed of random decisions, such as losses: a whole number.")
    var seed: UInt64 = 0

    @Option(help: "Play the L2 lines of this fault schedule instead of random faults.", completion: .file())
    var schedule: String?

    @Option(help: "Write the addresses to this file as JSON, once all of them listen.", completion: .file())
    var readyFile: String?

    func validate() throws {
        try access.check(listen: listen, reverse: reverse.map(\.listener.listen), toxiproxy: toxiproxy.toxiproxy)
        guard profile != nil || toxiproxy.toxiproxy != nil else {
            throw ValidationError(
                "Missing expected argument '--profile <profile>': 'headwind profile list' shows them.")
        }
        try ValidationError.check(
            mostConnections, in: 1...1_000_000, "--most-connections is a number from 1 to 1000000.")
        guard controlToken == nil || control.map(ControlConfiguration.isBeyondLoopback) == true else {
            throw ValidationError(
                "--control-token needs a --control beyond loopback, such as 0.0.0.0:8081; clients on loopback need no token."
            )
        }
    }

    func run() async throws {
        try ResourceNeeds.proxy.check(for: "A proxy")
        ResourceNeeds.raiseDescriptors()
        if DescriptorLimit.pairs < mostConnections {
            Console.note(
                "headwind: the limit of open files (ulimit -Hn) allows \(DescriptorLimit.pairs) connections at once, not "
                    + "\(mostConnections). Raise it, or lower --most-connections.")
        }
        let token = try control.flatMap { control in
            try ControlConfiguration.isBeyondLoopback(control) ? ControlToken(option: controlToken) : nil
        }
        let profile = try profile.map(ProfileCommand.named) ?? Profile(name: "unshaped")
        let reader = LinkRequestReader(library: try ProfileCommand.library(), started: profile)
        let configuration = try link(profile, token, reader)
        try await Interruption.endsWell {
            try await withProxyLink(configuration) { link in
                let api = try await toxiproxy.serve(on: link, allowed: access.allow, reader: reader)
                if let address = link.forwardAddress {
                    let asksPassword = try access.access.credentials != nil
                    let page = try PhonePage(
                        proxies: link.named, started: profile, listener: address, asksPassword: asksPassword
                    ) { try reader.read($0) }
                    try await link.serve(page.page)
                }
                try await stand(link, newToken: token?.isNew == true ? token?.text : nil, toxiproxy: api)
            }
        }
    }

    private func link(
        _ profile: Profile, _ token: ControlToken?, _ reader: LinkRequestReader
    ) throws -> ProxyLinkConfiguration {
        var limits = ProxyLimits.standing
        limits.connections = mostConnections
        return ProxyLinkConfiguration(
            profile: profile, seed: seed, schedule: try faults(),
            forward: listen ?? (self.profile == nil ? nil : .anyLoopbackPort), reverse: reverse.map(\.listener),
            routes: RouteTable(policy: .direct), allowed: Set(allowTarget), access: try access.access,
            control: control.map { control in
                var control = ControlConfiguration(listen: control, token: token?.text) { try reader.read($0) }
                control.later = { await ControlAPI(proxies: $0) { try reader.read($0) }.answer($1) }
                return control
            }, limits: limits)
    }

    /// The fault schedule to play; nil if chance decides.
    private func faults() throws -> FaultSchedule? {
        guard let schedule else { return nil }
        let bytes = try BoundedFile.read(FilePath(schedule), most: FaultSchedule.mostBytes) {
            CommandFailure.invalidInput("The fault schedule '\(schedule)' \($0).")
        }
        let faults: FaultSchedule
        do throws(FaultScheduleError) {
            faults = try FaultSchedule(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            let lines = error.problems.map { "\(schedule):\($0.line):\($0.column): \($0.message)" }
            throw CommandFailure(.invalidInput, lines: lines)
        }
        guard faults.hasOnlyPacketFaults else {
            throw CommandFailure.invalidInput(
                "The fault schedule '\(schedule)' has lines of layers other than L2. 'headwind proxy' runs no host "
                    + "and no client, so it cannot play them: use --control, or 'headwind exec --backend proxy "
                    + "--schedule'."
            )
        }
        return faults
    }

    /// Prints the addresses, and keeps the link up until this task is cancelled.
    private func stand(_ link: ProxyLink, newToken: String?, toxiproxy: Endpoint?) async throws {
        let addresses = ProxyAddresses(link, reverse: reverse.map(\.listener), token: newToken, toxiproxy: toxiproxy)
        Console.out(lines: addresses.lines)
        let readyFile = readyFile.map { FilePath($0) }
        if let readyFile { try FileReplacement.write(try addresses.jsonText(), to: readyFile) }
        defer { if let readyFile { unlink(readyFile.string) } }
        // Not a child task: it must still log the connections that the end of the link ends.
        let log = Task {
            var log = ConnectionLog()
            for await event in link.events {
                if let line = log.line(for: event) { Console.note("\(line)") }
            }
        }
        while !Task.isCancelled {
            if Console.isInteractive { await Self.showProgress(of: link) }
            try? await Task.sleep(for: .seconds(1))
        }
        try await link.close()
        await log.value
    }

    private static func showProgress(of link: ProxyLink) async {
        guard let counters = try? await link.counters() else { return }
        let payload = counters.payload
        Console.progress(
            "\(counters.open.count) open, \(counters.accepted) in all, \(LinkSummary.size(payload.downlink)) down, "
                + "\(LinkSummary.size(payload.uplink)) up")
    }
}
