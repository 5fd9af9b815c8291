import Glibc
import SandboxMessages
import SystemPackage

/// A sysctl setting of the current network namespace.
///
/// See ip-sysctl in the kernel's documentation.
struct Setting {
    /// Its path below /proc/sys.
    private let name: String
    private let value: String

    static func all(_ configuration: SandboxRequest.Configure) -> [Setting] {
        [
            // A link without a carrier carries no packets, like an unplugged cable.
            Setting("conf/all/ignore_routes_with_linkdown", "1"),
            Setting("conf/default/ignore_routes_with_linkdown", "1"),
            // Attempts must not learn from each other.
            Setting("tcp_no_metrics_save", "1"),
            // The machine's own values depend on its memory and its administrator.
            Setting("tcp_rmem", configuration.receiveBuffers.map(String.init).joined(separator: " ")),
            Setting("tcp_wmem", configuration.sendBuffers.map(String.init).joined(separator: " ")),
            // Programs without privileges may listen on any port, as root's could outside.
            Setting("ip_unprivileged_port_start", "0"),
            // ping(8) without privileges: for all groups, or for this process's group if the namespace knows only that.
            Setting("ping_group_range", "0 2147483647", orElse: "\(getegid()) \(getegid())"),
        ] + loopback(configuration)
    }

    /// The settings that let packets to and from this machine's loopback be forwarded.
    static func loopback(_ configuration: SandboxRequest.Configure) -> [Setting] {
        guard configuration.outside?.leadsLoopback == true else { return [] }
        return [
            Setting("conf/all/route_localnet", "1"),
            // A program that listens at 127.0.0.1 must not fail, although no packet arrives there.
            Setting("ip_nonlocal_bind", "1"),
        ]
    }

    private let alternative: String?

    private init(_ name: String, _ value: String, orElse alternative: String? = nil) {
        self.name = "net/ipv4/\(name)"
        self.value = value
        self.alternative = alternative
    }

    var path: String { "/proc/sys/\(name)" }

    /// Applies the setting; returns the error if that fails.
    func apply() -> Errno? {
        do throws(Errno) {
            do throws(Errno) { try SystemSettings.write(value, to: name) } catch {
                guard let alternative, error == .invalidArgument else { throw error }
                try SystemSettings.write(alternative, to: name)
            }
            return nil
        } catch { return error }
    }
}
