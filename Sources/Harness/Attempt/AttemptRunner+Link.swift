import LinkModel
import PackFormat
import PackHost
import PacketLink
import ProxyLink
import Scenarios
import Testbed

extension AttemptRunner {
    /// Where a client finds host and link.
    struct ClientEndpoints {
        /// The URL of the link's proxy; empty where the link is no proxy.
        var proxy: String
        /// What stands for the host in a URL: a name or an address, with a port where it needs one.
        var host: String
    }

    /// Runs a link, and tells where clients enter it.
    func withLink(
        to way: HostWay?, on network: AttemptNetwork,
        _ body: (any ConditionedLink, ClientEndpoints) async throws -> Void
    ) async throws {
        if case .sandbox(let sandbox) = network {
            let endpoints = ClientEndpoints(proxy: "", host: PreparedContent.hostName)
            if context.backend == .kernel {
                let setup = LinkSetup(
                    profile: context.cell.link.profile, faults: context.cell.linkFaults,
                    seed: context.seed(attempt: number))
                return try await context.dependencies.withKernelLink(setup, sandbox) {
                    try await body($0, endpoints)
                }
            }
            var configuration = PacketLinkConfiguration(
                profile: context.cell.link.profile, seed: context.seed(attempt: number),
                schedule: context.cell.schedule?.faults)
            configuration.capture = context.capture.map { capture in
                PacketCapture(
                    path: capture.path(attempt: number), limit: capture.limit, hasPayload: capture.keepsSecrets)
            }
            return try await context.dependencies.withSandboxLink(configuration, sandbox) {
                try await body($0, endpoints)
            }
        }
        try await context.dependencies.withLink(linkConfiguration(to: way)) { link in
            let endpoints = ClientEndpoints(
                proxy: "http://\(link.forwardAddress.map(\.description) ?? "")",
                host: link.reverseAddresses.first.map(\.description) ?? "")
            try await body(link, endpoints)
        }
    }

    private func linkConfiguration(to way: HostWay?) -> ProxyLinkConfiguration {
        let profile = context.cell.link.profile
        let seed = context.seed(attempt: number)
        let schedule = context.cell.schedule?.faults
        guard let host = way?.host else {
            return ProxyLinkConfiguration(
                profile: profile, seed: seed, schedule: schedule, routes: RouteTable(policy: .direct))
        }
        let target = Endpoint(host: host.address, port: host.port)
        var routes = [Endpoint(host: PreparedContent.hostName, port: hostPort): target]
        for authority in context.content?.authorities ?? [] {
            routes[Endpoint(host: authority.host, port: authority.port)] = target
        }
        return ProxyLinkConfiguration(
            profile: profile, seed: seed, schedule: schedule, reverse: [.init(target: target)],
            routes: RouteTable(routes: routes))
    }

    /// The port at which the host is asked for.
    var hostPort: Int { context.cell.tls ? 443 : 80 }

    /// All ports at which the host is asked for, that one first.
    var hostPorts: [Int] {
        let others = Set((context.content?.authorities ?? []).map(\.port)).subtracting([hostPort])
        return [hostPort] + others.sorted()
    }

    /// What the client is told of them.
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
        let door = "\(scheme)://\(endpoints.host)"
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
            proxy: endpoints.proxy, pack: pack.map { door + $0.path }, digest: pack?.sha256,
            manifest: isBuiltIn ? folder.manifest.string : door + manifestPath,
            tagTable: isBuiltIn ? folder.tagTable.string : nil, hasAuthority: context.cell.tls)
    }
}
