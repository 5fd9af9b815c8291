import ArgumentParser
import InterfaceShaping
import LinkModel
import ProxyAPI
import ProxyLink
import Scenarios

/// `headwind link page`: shapes an interface, and serves a page whose buttons change the link of each device.
struct LinkPageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Shape an interface, and change the link of each device from a page.",
        discussion: """
            Open the page on a phone behind the gateway, and press 3G, Lossy or Offline for any device. The page's own \
            port is not shaped. Ctrl-C stops the shaping. Needs root, or CAP_NET_ADMIN.

              headwind link page wlan0 --devices --rule '02:11:22:33:44:55 3g' \\
                --rule '192.168.50.22 lossy' --listen 192.168.50.1:8080 \\
                --allow 192.168.50.0/24
            """)

    @OptionGroup var options: LinkOptions

    @Option(
        help: ArgumentHelp(
            "The address of the page, such as 192.168.50.1:8080, or 127.0.0.1:8080 for this machine only.",
            valueName: "address:port"),
        transform: Endpoint.init(listening:))
    var listen: Endpoint

    @OptionGroup var access: AccessOptions

    func validate() throws {
        try access.check(listen: listen)
        guard listen.port >= 1024 else {
            throw ValidationError(
                "Choose port 1024 or higher, such as --listen "
                    + "\(listen.host):8080: traffic at the page's port is not shaped, of any host."
            )
        }
    }

    func run() async throws {
        let options = try resolved()
        let configuration = ProxyLinkConfiguration(
            profile: Profile(name: "unshaped"), forward: listen, access: try access.access, limits: .standing)
        try await Interruption.endsWell {
            try await withProxyLink(configuration) { link in
                try await Gateway.with(options) { gateway in
                    try await link.serve(GatewayPage(gateway: gateway).page)
                    await stand(gateway)
                }
            }
        }
    }

    /// Prints the addresses of the page, and waits until this task is cancelled or the time of the links expires.
    private func stand(_ gateway: Gateway) async {
        let pages = listen.reachable.isEmpty ? [listen] : listen.reachable
        Console.out(lines: pages.map { "page http://\($0)/" })
        while !Task.isCancelled, gateway.deadline.map({ ContinuousClock.now < $0 }) ?? true {
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// The options, with the rules of the file added to those of the command line, and the page's port excepted.
    private func resolved() throws -> LinkOptions {
        var options = options
        options.except.append("\(listen.port)")
        guard let path = options.rules else { return options }
        options.rules = nil
        let file = try LinkOrder.rules(path, interface: options.interface)
        func named(_ profile: Profile) throws -> String {
            guard (try? ProfileCommand.named(profile.name)) == profile else {
                throw CommandFailure.invalidInput(
                    "Could not use \(path): the page selects profiles by name, and '\(profile.name)' differs from the "
                        + "bundled profile of that name. Give the rule with --rule and the path of the profile's file.")
            }
            return profile.name
        }
        options.rule += try file.rules.map { "\($0.match) \(try named($0.profile))" }
        options.profile = try options.profile ?? file.profile.map(named)
        options.except += file.exceptions
        options.devices = options.devices || file.hasDevices
        return options
    }
}
