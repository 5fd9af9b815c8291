import ArgumentParser
import LinkModel
import LinuxSupport
import ProxyAPI
import ProxyLink
import Scenarios
import SystemPackage

/// Options for which clients may use `headwind proxy`, or the page of `headwind link page`.
struct AccessOptions: ParsableArguments {
    /// The variable with the user and the password, if no option has them; other users of this machine can read
    /// options.
    static let variable = "HEADWIND_PROXY_AUTH"

    @Option(
        help: ArgumentHelp(
            "Accept clients at these addresses, and refuse other machines. May be repeated.",
            valueName: "range"),
        transform: { try AddressRange(parsing: $0) })
    var allow: [AddressRange] = []

    @Option(
        help: ArgumentHelp(
            "Ask clients of --listen for this user and password. (default: $\(Self.variable), else none)",
            valueName: "user:password"))
    var auth: String?

    /// Throws `ValidationError` if other machines can connect, but no option says which of them may.
    func check(listen: Endpoint?, reverse: [Endpoint] = [], toxiproxy: Endpoint? = nil) throws {
        _ = try access
        guard listen.map(ControlConfiguration.isBeyondLoopback) != true || !allow.isEmpty || text != nil else {
            throw ValidationError(
                "Choose who may connect from beyond loopback: "
                    + "--allow 192.168.1.0/24 for the addresses of your network, or --auth user:password.")
        }
        guard !reverse.contains(where: ControlConfiguration.isBeyondLoopback) || !allow.isEmpty else {
            throw ValidationError(
                "A reverse listener asks for no password: choose who may use it from beyond loopback, such as --allow 192.168.1.0/24."
            )
        }
        guard toxiproxy.map(ControlConfiguration.isBeyondLoopback) != true || !allow.isEmpty else {
            throw ValidationError(
                "Toxiproxy's clients send no password: choose who may use the API beyond loopback, such as --allow 192.0.2.0/24."
            )
        }
    }

    /// The clients that may connect, and the credentials that they must send.
    var access: ClientAccess {
        get throws {
            let credentials: ProxyCredentials?
            do throws(ProxyCredentialsError) {
                credentials = try text.map { text throws(ProxyCredentialsError) in try ProxyCredentials(parsing: text) }
            } catch {
                throw ValidationError("Could not read \(auth == nil ? "$\(Self.variable)" : "--auth"): \(error)")
            }
            return ClientAccess(ranges: allow, credentials: credentials)
        }
    }

    private var text: String? { auth ?? Console.environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 } }
}

/// The token that clients on other machines send to the control API of `headwind proxy`.
struct ControlToken {
    /// The variable with the token, if no option has it; other users of this machine can read options.
    static let variable = "HEADWIND_CONTROL_TOKEN"

    let text: String
    /// Whether it was generated here, so that the user must be shown it.
    let isNew: Bool

    /// Takes the option's token, or else the variable's, or else a new one of 128 bits from the system's random source.
    init(option: String?) throws(CommandFailure) {
        let given = option ?? Console.environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 }
        isNew = given == nil
        var random = SystemRandomNumberGenerator()
        text = given ?? (0..<2).map { _ in Self.hex(random.next()) }.joined()
        guard Self.isToken(text) else {
            throw CommandFailure.usage(
                "The token of \(option == nil ? Self.variable : "--control-token") must be 1 to 512 of the characters "
                    + "A-Z, a-z, 0-9 and -._~+/, with '=' only at the end.")
        }
    }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Whether the text is a b64token of RFC 6750 §2.1, of at most 512 bytes.
    private static func isToken(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.wholeMatch(of: /[A-Za-z0-9\-._~+\/]+=*/) != nil
    }
}

/// The options of `headwind proxy` about Toxiproxy's API.
struct ToxiproxyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve Toxiproxy's HTTP API, version 2, at this address, or at a port of 127.0.0.1. Toxiproxy's own "
                + "port is 8474. (default: no such API)",
            valueName: "address:port"),
        transform: Endpoint.init(listening:))
    var toxiproxy: Endpoint?

    @Option(
        help: "With --toxiproxy: create the proxies of this configuration of Toxiproxy's server.",
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The maximum number of proxies that clients of --toxiproxy can create: 1 to 10000.", valueName: "number"))
    var mostProxies = NamedProxyLimits().proxies

    func validate() throws {
        guard toxiproxy != nil || config == nil else {
            throw ValidationError("--config needs --toxiproxy, such as --toxiproxy 127.0.0.1:8474.")
        }
        try ValidationError.check(mostProxies, in: 1...10_000, "--most-proxies is a number from 1 to 10000.")
    }

    /// Serves the API, creates the proxies of the file, and returns the address; nil if no API is requested.
    func serve(on link: ProxyLink, allowed: [AddressRange], reader: LinkRequestReader) async throws -> Endpoint? {
        guard let toxiproxy else { return nil }
        let requests = try proxies()
        var limits = NamedProxyLimits()
        limits.proxies = mostProxies
        try await link.named.limit(to: limits)
        let api = ToxiproxyAPI(proxies: link.named, allowed: allowed) { body in
            guard case .profile(let profile) = try reader.read(body) else { throw ProxyLinkError.closed }
            return profile
        }
        // Serve the API before any proxy exists, so that no proxy can lead to it.
        let address = try await link.serve(api.service, at: toxiproxy)
        do {
            _ = try await link.named.populate(requests)
        } catch let error as NamedProxyError {
            throw CommandFailure(.infrastructure, "Could not create the proxies of '\(config ?? "")': \(error)")
        }
        return address
    }

    private func proxies() throws -> [NamedProxyRequest] {
        guard let config else { return [] }
        func failure(_ reason: String) -> CommandFailure {
            CommandFailure.invalidInput("The list of proxies '\(config)' \(reason).")
        }
        let bytes = try BoundedFile.read(FilePath(config), most: ToxiproxyFile.mostBytes) { failure("\($0)") }
        do throws(ToxiproxyFile.Unreadable) {
            return try ToxiproxyFile.read(bytes)
        } catch {
            throw failure("cannot be read: \(error)")
        }
    }
}
