import Evidence
import LinkModel
import Links
import PackFormat
import PackHost
import PacketLink
import ProxyLink
import Scenarios
import Testbed

extension AttemptRunner {
    /// The addresses of host and link for a client.
    struct ClientEndpoints {
        /// The URL of the link's proxy; empty if the link is not a proxy.
        var proxy: String
        /// The host's part of a URL: a name or an address, with a port if it needs one.
        var host: String
    }

    /// Runs a link, and passes the body the addresses at which clients enter it.
    func withLink(
        to way: HostWay?, on network: AttemptNetwork,
        _ body: (any ConditionedLink, ClientEndpoints) async throws -> Void
    ) async throws {
        let setup = context.cell.linkSetup(seed: context.seed(attempt: number))
        try await context.dependencies.links.withLink(context.backend, setup, place(leadingTo: way, on: network)) {
            link, entrance in
            if entrance.targets.count > 1 {
                way?.host.lead(from: entrance.targets[0].port, to: entrance.targets[1].port)
            }
            let endpoints = ClientEndpoints(
                proxy: entrance.proxy.map { "http://\($0)" } ?? "",
                host: entrance.targets.first?.description ?? PreparedContent.hostName)
            try await body(link, endpoints)
        }
    }

    private func place(leadingTo way: HostWay?, on network: AttemptNetwork) -> LinkPlace {
        if case .sandbox(let sandbox) = network {
            let capture = context.capture.map { capture in
                PacketCapture(
                    path: capture.path(attempt: number), limit: capture.limit, hasPayload: capture.keepsSecrets)
            }
            return .sandbox(sandbox, capture: capture)
        }
        guard let way else {
            let resolved = context.dependencies.resolved
            if case .network = context.cell.content { return .loopback(LocalServers.routes(resolved: resolved)) }
            let addresses = Dictionary(resolved.map { ($0.name, $0.address) }) { $1 }
            return .loopback(RouteTable(policy: .direct, addresses: addresses))
        }
        let target = Endpoint(host: way.host.address, port: way.host.port)
        let names = [PreparedContent.hostName, PreparedContent.otherHostName]
        var routes: [Endpoint: Endpoint] = [:]
        for name in names {
            for port in [hostPort, otherPort] { routes[Endpoint(host: name, port: port)] = target }
        }
        for authority in context.content?.authorities ?? [] {
            routes[Endpoint(host: authority.host, port: authority.port)] = target
        }
        return .loopback(RouteTable(routes: routes), targets: way.hasOtherPort ? [target, target] : [target])
    }

    /// The port of the host in URLs.
    var hostPort: Int { context.cell.tls ? 443 : 80 }

    /// The port that redirects to another port lead to: the usual alternative of the scheme.
    var otherPort: Int { context.cell.tls ? 8443 : 8080 }

    /// All ports at which a host with these faults can be reached, ``hostPort`` first.
    func hostPorts(_ faults: [HostFault]) -> [Int] {
        var others = Set((context.content?.authorities ?? []).map(\.port))
        if faults.contains(where: \.leadsToOtherPort) { others.insert(otherPort) }
        return [hostPort] + others.subtracting([hostPort]).sorted()
    }

    /// The addresses that the client gets.
    func addresses(
        endpoints: ClientEndpoints, folder: AttemptFolder, remote: RemoteHost?
    ) -> ClientCommand.Addresses {
        if let remote {
            return .init(
                proxy: endpoints.proxy, pack: nil, manifest: remote.manifest, tagTable: remote.tagTable,
                hasAuthority: false
            )
        }
        if case .network = context.cell.content {
            return .init(proxy: endpoints.proxy, pack: nil, manifest: "", tagTable: nil, hasAuthority: false)
        }
        let scheme = context.content?.scheme ?? "http"
        let origin = "\(scheme)://\(endpoints.host)"
        var isBuiltIn = true
        var pack: ServedPack?
        if case .command(let command) = context.cell.workload {
            isBuiltIn = false
            pack = command.pack.flatMap { context.content?.pack(named: $0) }
        }
        let manifestPath = context.content?.site.manifestPath ?? "/"
        if isBuiltIn, context.cell.fetchesManifest {
            let host = "\(scheme)://\(PreparedContent.hostName)"
            return .init(
                proxy: endpoints.proxy, pack: nil, manifest: host + manifestPath,
                tagTable: context.content.map { host + $0.site.tagTablePath }, hasAuthority: context.cell.tls)
        }
        return .init(
            proxy: endpoints.proxy, pack: pack.map { origin + $0.path }, digest: pack?.sha256,
            manifest: isBuiltIn ? folder.manifest.string : origin + manifestPath,
            tagTable: isBuiltIn ? folder.tagTable.string : nil, hasAuthority: context.cell.tls)
    }
}

extension HostFault {
    var leadsToOtherPort: Bool { if case .redirect(_, _, .otherPort?) = action { true } else { false } }
}

extension PreparedContent {
    /// The packs with a name, with their sizes, for faults of the link.
    func packBytes(named name: String) -> [PackBytes] {
        packs(named: name).map { PackBytes(identifier: $0.identifier, size: $0.size) }
    }
}
