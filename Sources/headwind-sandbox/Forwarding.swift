import SandboxMessages
import SystemPackage

/// Whether packets for others are passed on in the current network namespace.
enum Forwarding {
    /// Has packets of IPv4 passed on.
    static func switchOnIPv4() throws(SandboxReply.Failure) { try switchOn("net/ipv4/ip_forward") }

    /// Has packets of IPv6 passed on.
    static func switchOnIPv6() throws(SandboxReply.Failure) { try switchOn("net/ipv6/conf/all/forwarding") }

    private static func switchOn(_ setting: String) throws(SandboxReply.Failure) {
        do { try SystemSettings.write("1", to: setting) } catch {
            throw .init(.forwarding, error as? Errno ?? .ioError, detail: "/proc/sys/\(setting)")
        }
    }
}
