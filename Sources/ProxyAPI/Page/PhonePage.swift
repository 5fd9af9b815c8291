package import LinkModel
package import ProxyLink
import QRCode

/// The page at a proxy's address: instructions for phones, and buttons that change the link.
package struct PhonePage: LinkPage {
    let proxies: NamedProxies
    /// Where the proxy listens.
    let listener: Endpoint
    /// Whether clients must send a user and a password.
    private let asksPassword: Bool
    /// The profiles by the names of choices.
    private let profiles: [String: Profile]
    private let choices: [DrivenLink.Choice]

    /// Has buttons for 3G, a lossy link, an offline link, and `started`, the profile that the proxy was started with.
    ///
    /// `asksPassword`: whether clients must send a user and a password (default: no). `read` reads `{"profile": …}`;
    /// its errors are thrown on.
    package init(
        proxies: NamedProxies, started: Profile, listener: Endpoint, asksPassword: Bool = false,
        read: ([UInt8]) throws -> LinkRequest
    ) throws {
        self.proxies = proxies
        self.listener = listener
        self.asksPassword = asksPassword
        choices = DrivenLink.Choice.all(offline: "offline", started: started.name)
        var profiles = [DrivenLink.Choice.back: started]
        for choice in choices where choice.name != DrivenLink.Choice.back {
            let request = try read(Array(#"{"profile":"\#(choice.profile)"}"#.utf8))
            if case .profile(let profile) = request { profiles[choice.name] = profile }
        }
        self.profiles = profiles
    }

    /// The path of the auto-configuration; devices that read it have no credentials yet.
    static let pacPath = "/proxy.pac"

    package var openPaths: Set<String> { [Self.pacPath] }

    package var links: [DrivenLink] {
        get async throws {
            let link = try await proxies.link("main")
            let offline = link.offline ?? (link.profile == nil ? link.conditions.offline : nil)
            let profile = offline.map { "offline (\($0.rawValue))" } ?? link.profile?.name ?? "set by hand"
            let payload = link.counters.payload
            return [
                DrivenLink(
                    name: "main", profile: profile, bytes: (payload.downlink, payload.uplink), choices: choices)
            ]
        }
    }

    package func choose(_ choice: DrivenLink.Choice, of link: DrivenLink) async throws {
        guard let profile = profiles[choice.name] else { return }
        _ = try await proxies.putLink(link.name, NamedLinkRequest([.profile(profile)]))
    }

    package func file(_ path: String, at host: Endpoint, local: Endpoint?) -> APIResponse? {
        guard path == Self.pacPath else { return nil }
        let proxy = place(of: host, local)
        // Proxy auto-configuration: all connections use the proxy, except those to the proxy itself. There is no direct
        // connection as a fallback: it would bypass the link, and be fast.
        let script = """
            function FindProxyForURL(url, host) {
              if (host === "\(proxy.host)") return "DIRECT";
              return "PROXY \(proxy)";
            }

            """
        return .text(script, type: "application/x-ns-proxy-autoconfig")
    }

    /// The proxy's address for a device: the requested host, or the address reached if the host is `proxy`.
    func place(of host: Endpoint, _ local: Endpoint?) -> Endpoint { host == ProxyPage.name ? local ?? listener : host }

    package func instructions(at host: Endpoint, local: Endpoint?) -> String {
        let place = place(of: host, local)
        // A phone cannot reach a loopback address, or a name such as localhost.
        let isReachable = place.isAddress && !AddressRange.isLoopback(place.host)
        let places =
            isReachable ? [place] : Endpoint(host: listener.host, port: place.port).reachable
        let shown = places.first ?? place
        let parts: [(String, String)] = [
            ("addresses", Self.addresses(places)), ("pac", "http://\(shown)\(Self.pacPath)"),
            ("host", shown.host), ("port", "\(shown.port)"), ("emulator", emulator), ("emulated", emulated),
        ]
        return parts.reduce(String(decoding: PackageResources.phone_html, as: UTF8.self)) { page, part in
            page.replacing("{{\(part.0)}}", with: part.1)
        }
    }

    /// The proxy for `-http-proxy`, as the emulator's own process on this machine reaches it.
    private var emulator: String {
        let isWildcard = ["0.0.0.0", "::"].contains(listener.host)
        let place = isWildcard ? Endpoint(host: "127.0.0.1", port: listener.port) : listener
        return "http://\(asksPassword ? "USER:PASSWORD@" : "")\(place)"
    }

    /// What to do in an emulator that runs; from inside, this machine's loopback is 10.0.2.2.
    private var emulated: String {
        if asksPassword { return "<p>One that runs already takes no password: start it again like this.</p>" }
        // This holds for wildcard addresses too.
        let isLoopback = AddressRange.isLoopback(listener.host)
        let place = isLoopback ? Endpoint(host: "10.0.2.2", port: listener.port) : listener
        return """
            <p>One that runs already reaches the proxy as \(place.host):</p>
            <pre><code>adb shell settings put global http_proxy \(place)
            adb shell settings put global http_proxy :0      # takes it back</code></pre>
            """
    }

    private static func addresses(_ places: [Endpoint]) -> String {
        guard let first = places.first else {
            return """
                <p id="unreachable">Only this machine reaches this proxy. To let phones in your Wi-Fi use it, start it with an \
                address and a range of addresses, such as <code>--listen 0.0.0.0:8080 --allow 192.168.1.0/24</code>.</p>
                """
        }
        let address = "http://\(first)/"
        var text = "<p>Open <a href=\"\(address)\">\(address)</a> on the phone, or point its camera here:</p>"
        if let code = QRCode(address) { text += code.svg(title: address) }
        if places.count > 1 {
            let others = places.dropFirst().prefix(8).map { "<a href=\"http://\($0)/\">http://\($0)/</a>" }
            text += "<p>In other networks: \(others.joined(separator: ", "))</p>"
        }
        return text
    }
}
