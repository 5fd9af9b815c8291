import Links
import LinuxSupport
import PackFormat
import Scenarios
import SystemPackage

/// How a sandbox reaches a host that Headwind did not start.
struct StagingWay {
    /// The known addresses of the host's names, for which no resolver is asked.
    private let known: [[SocketName]]
    /// The known addresses of names to which the host may redirect.
    private let others: [SocketName]

    /// `hostsFile` is the text of hosts(5).
    init(to host: RemoteHost, _ resolved: [ResolvedName], hostsFile: String = Self.hostsFile()) {
        let table = Self.table(of: hostsFile)
        let names = [host.manifest, host.tagTable].compactMap { $0.flatMap { HTTPAddress($0)?.host } }
        known = names.map { name in
            if let address = SocketName(anyForm: name) { return [address] }
            if name == "localhost" || name.hasSuffix(".localhost") { return [Self.loopback] }
            let own = resolved.filter { $0.name == name }.compactMap { SocketName(anyForm: $0.address) }
            return own.isEmpty ? table[name] ?? [] : own
        }
        others = resolved.compactMap { SocketName(anyForm: $0.address) }
    }

    /// Whether the host, or a name to which it may redirect, is on the loopback of this machine.
    var leadsLoopback: Bool { (known.flatMap(\.self) + others).contains { $0.isIPv4 && $0.isLoopback } }

    /// Why no sandbox on any machine reaches the host, as a clause; nil if one can.
    var obstacle: String? {
        for addresses in known where !addresses.isEmpty {
            if addresses.allSatisfy({ !$0.isIPv4 && $0.isLoopback }) {
                return "its host is at ::1, and packets to ::1 never leave a sandbox"
            }
            // Systems treat it as the loopback.
            if addresses.contains(where: { $0.address.allSatisfy { $0 == 0 } }) {
                return "its host's address is the unspecified one: write 127.0.0.1 for this machine"
            }
            if addresses.contains(where: { $0.isIPv4 && $0.address.prefix(2) == [10, 77] }) {
                return "its host is in 10.77.0.0/16, which a sandbox uses for its own networks"
            }
        }
        return nil
    }

    private static let loopback = SocketName(address: [127, 0, 0, 1], port: 0)

    /// Addresses by name in lower case.
    private static func table(of text: String) -> [String: [SocketName]] {
        var table: [String: [SocketName]] = [:]
        for line in text.split(separator: "\n") {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            guard let address = words.first.flatMap({ SocketName(anyForm: String($0)) }) else { continue }
            for name in words.dropFirst() { table[name.lowercased(), default: []].append(address) }
        }
        return table
    }

    static func hostsFile() -> String { BoundedFile.text("/etc/hosts", most: 1 << 20) ?? "" }
}
