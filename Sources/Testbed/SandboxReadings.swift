import Glibc
import LinuxSupport
import SystemPackage

/// Settings of this machine that explain a refusal.
struct SandboxReadings: Sendable, Equatable {
    /// The device file /dev/net/tun.
    enum TUNNode: Sendable, Equatable {
        case absent
        case present(mode: UInt32)
    }

    /// The limits under /proc/sys/user, such as `max_user_namespaces`.
    var namespaceLimits: [String: Int] = [:]
    /// `kernel.unprivileged_userns_clone` of Debian's kernels; `nil` if absent.
    var unprivilegedClone: Int?
    /// `kernel.apparmor_restrict_unprivileged_userns`, in Ubuntu since 23.10; `nil` if absent.
    var appArmorRestriction: Int?
    /// Whether system calls of this process are filtered: `Seccomp: 2` in /proc/self/status.
    var isFiltered = false
    /// Whether this process has CAP_SYS_ADMIN.
    var isPrivileged = false
    var tun: TUNNode = .absent

    static let limits = [
        "max_user_namespaces", "max_pid_namespaces", "max_mnt_namespaces", "max_net_namespaces", "max_ipc_namespaces",
        "max_uts_namespaces",
    ]

    /// Reads the settings; one that cannot be read counts as absent.
    static func current() -> SandboxReadings {
        var readings = SandboxReadings()
        for name in limits {
            readings.namespaceLimits[name] = number("/proc/sys/user/\(name)")
        }
        readings.unprivilegedClone = number("/proc/sys/kernel/unprivileged_userns_clone")
        readings.appArmorRestriction = number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        let status = BoundedFile.text("/proc/self/status")
        readings.isFiltered = BoundedFile.field("Seccomp:", in: status) == "2"
        let capabilities = BoundedFile.field("CapEff:", in: status).flatMap { UInt64($0, radix: 16) } ?? 0
        readings.isPrivileged = capabilities & 1 << 21 != 0
        var node = stat()
        if unsafe stat("/dev/net/tun", &node) == 0 {
            readings.tun = .present(mode: node.st_mode & 0o7777)
        }
        return readings
    }

    private static func number(_ path: String) -> Int? {
        BoundedFile.text(FilePath(path)).flatMap { Int($0.split(separator: "\n").first ?? "") }
    }
}
