import LinuxSupport
import Redaction
import Scenarios

extension Run {
    /// The secrets that the run sends to hosts itself: they are left out of everything that is written, wherever they
    /// stand.
    func secrets(of cells: [Cell]) -> HostSecrets {
        var hosts: Set<RemoteHost> = []
        for case .host(let host) in cells.map(\.content) { hosts.insert(host) }
        var secrets = HostSecrets()
        for host in hosts {
            secrets.add(host, token: host.tokenVariable.flatMap { Environment.value($0) })
        }
        if case .interleaved(.host(let manifest))? = comparison { secrets.add(url: manifest) }
        return secrets
    }
}

extension HostSecrets {
    /// `token` is the value of the host's variable; nil where there is none.
    mutating func add(_ host: RemoteHost, token: String?) {
        if let token { add(token) }
        for header in host.headers { add(header: header.name, header.value) }
        add(url: host.manifest)
        if let tagTable = host.tagTable { add(url: tagTable) }
    }
}
