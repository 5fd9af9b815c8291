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
    /// A host of Headwind's own, and what identifies it.
    struct HostWay {
        let host: PackHost
        let authorityPEM: String?
        let events: HostEventTask
        /// Whether redirects may lead clients to another port of it.
        let hasOtherPort: Bool
    }

    /// Where the link of the attempt is made, and what it leads to.
    func place(leadingTo way: HostWay?, on network: AttemptNetwork) -> LinkPlace {
        if case .sandbox(let sandbox) = network {
            let capture = context.capture(attempt: number).map {
                PacketCapture(path: $0, limit: context.captureLimit, hasPayload: context.keepsSecrets)
            }
            return .sandbox(sandbox, capture: capture)
        }
        guard let way else {
            let resolved = context.settings.resolved
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
    func addresses(_ entrance: LinkEntrance, folder: AttemptFolder) -> ClientCommand.Addresses {
        var addresses = ClientCommand.Addresses(
            proxy: entrance.proxy.map { "http://\($0)" } ?? "", appSize: context.content?.appSize ?? 0)
        switch context.cell.content {
        case .host(let remote): (addresses.manifest, addresses.tagTable) = (remote.manifest, remote.tagTable)
        case .network: break
        case .catalog, .packs:
            let scheme = context.content?.scheme ?? "http"
            let named = "\(scheme)://\(PreparedContent.hostName)"
            let origin = entrance.targets.first.map { "\(scheme)://\($0)" } ?? named
            let manifestPath = context.content?.site.manifestPath ?? "/"
            let pack = context.cell.commandPack(in: context.content)
            (addresses.pack, addresses.digest) = (pack.map { origin + $0.path }, pack?.sha256)
            addresses.hasAuthority = context.cell.tls
            if !context.cell.workload.isBuiltIn {
                addresses.manifest = origin + manifestPath
            } else if context.cell.fetchesManifest {
                addresses.manifest = named + manifestPath
                addresses.tagTable = context.content.map { named + $0.site.tagTablePath }
            } else {
                (addresses.manifest, addresses.tagTable) = (folder.manifest.string, folder.tagTable.string)
            }
        }
        return addresses
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
