package import ProxyLink
import QRCode

extension PhonePage {
    package func instructions(at host: Endpoint, local: Endpoint?) -> String {
        let place = place(of: host, local)
        // A phone cannot reach a loopback address, or a name such as localhost.
        let isReachable = place.isAddress && !AddressRange.isLoopback(place.host)
        let places =
            isReachable ? [place] : Endpoint(host: listener.host, port: place.port).reachable
        let shown = places.first ?? place
        let parts: [(String, String)] = [
            ("addresses", Self.addresses(places)), ("pac", "http://\(shown)\(Self.pacPath)"),
            ("host", shown.host), ("port", "\(shown.port)"),
        ]
        return parts.reduce(String(decoding: PackageResources.phone_html, as: UTF8.self)) { page, part in
            page.replacing("{{\(part.0)}}", with: part.1)
        }
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
