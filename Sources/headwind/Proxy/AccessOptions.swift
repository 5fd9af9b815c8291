import ArgumentParser
import ProxyLink

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
                    + "--allow 192.168.1.0/24 for the addresses of your network, or "
                    + "--auth user:password.")
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
