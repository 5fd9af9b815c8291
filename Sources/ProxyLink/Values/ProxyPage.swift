internal import LinuxSupport
internal import NIOCore

/// Pages of the proxy itself: for a browser that opens the proxy's address, or `http://proxy/` through it.
package struct ProxyPage: Sendable {
    /// The name by which a browser reaches the proxy that it uses: `proxy:80`.
    package static let name = Endpoint(host: "proxy", port: 80)

    /// Paths that need no credentials, as the programs that fetch them have none.
    let openPaths: Set<String>
    let answer: @Sendable (APIRequest) async -> APIResponse

    /// `answer` gets requests without a body; their field `host` is the address by which the client reached the proxy.
    package init(
        openPaths: Set<String> = [], _ answer: @escaping @Sendable (APIRequest) async -> APIResponse
    ) {
        self.openPaths = openPaths
        self.answer = answer
    }

    /// Whether a target is the proxy itself, for a client that reached the proxy at `local`.
    static func isAt(_ target: Endpoint, local: Endpoint?) -> Bool {
        guard target != name, let local else { return target == name }
        let isLoopback = AddressRange.isLoopback(local.host)
        return target.port == local.port && (target.host == local.host || (isLoopback && target.host == "localhost"))
    }
}

/// Where the pages of a proxy are, for one client.
struct PageAddress {
    /// The address at which the client reached the proxy.
    let local: Endpoint?
    let openPaths: Set<String>

    /// The request for a page in `head`; nil if it is for another server.
    ///
    /// Throws ``Refusal/unauthenticated(ofPage:)`` if the path is not open and the head lacks the credentials.
    func request(_ head: RequestHead, _ credentials: ProxyCredentials?) throws(Refusal) -> APIRequest? {
        guard head.target.hasPrefix("/") else { return nil }
        let path = head.target.prefix { $0 != "?" }
        guard openPaths.contains(String(path)) || head.has(credentials, in: "authorization") else {
            throw .unauthenticated(ofPage: true)
        }
        return request(head, target: head.target, host: nil)
    }

    /// The request for a page at `target`; `host`: the value of the field `host`, nil to keep the client's.
    func request(_ head: RequestHead, target: String, host: Endpoint?) -> APIRequest {
        var fields: [String: [String]] = [:]
        for field in head.fields { fields[field.name.lowercased(), default: []].append(field.text) }
        if let host { fields["host"] = ["\(host)"] }
        return APIRequest(method: head.method, target: target, fields: fields, local: local)
    }
}

extension RequestHead {
    /// Whether a field has these credentials; true if none are needed.
    func has(_ credentials: ProxyCredentials?, in name: String) -> Bool {
        guard let credentials else { return true }
        let values = values(name)
        return values.count == 1 && credentials.match(basic: values[0])
    }
}

extension Endpoint {
    /// The addresses at which other machines reach a listener at this one; none for loopback.
    ///
    /// For `0.0.0.0` and `::` these are the addresses of all interfaces.
    package var reachable: [Endpoint] {
        guard let place = InternetAddress(parsing: host) else { return [] }
        guard place.isWildcard else { return place.isLoopback ? [] : [self] }
        let addresses = ((try? System.enumerateDevices()) ?? []).compactMap { device -> String? in
            guard let address = InternetAddress(connecting: device.address), !address.isLoopback, !address.isLinkLocal,
                address.isIPv4 || !place.isIPv4
            else { return nil }
            return device.address?.ipAddress
        }
        return addresses.map { Endpoint(host: $0, port: port) }.sorted { $0.host.count < $1.host.count }
    }
}
