package import SandboxMessages
package import SystemPackage

/// Whether this machine can make sandboxes.
package enum SandboxCapability: Sendable, Equatable {
    /// It can; the notes say which features sandboxes lack here.
    case available(notes: [SandboxNote])
    /// It does not allow them.
    case refused(SandboxRefusal)
    /// It cannot for another reason.
    case failed(SandboxError)

    /// Makes a sandbox and ends it, which takes some hundredths of a second.
    ///
    /// Reading the machine's settings instead could give a wrong answer. Throws `CancellationError` only.
    package static func probe(
        _ configuration: SandboxConfiguration = SandboxConfiguration()
    ) async throws(CancellationError) -> SandboxCapability {
        do {
            return try await withSandbox(configuration) { SandboxCapability.available(notes: $0.notes) }
        } catch let error as SandboxError {
            if case .refused(let refusal) = error { return .refused(refusal) }
            return .failed(error)
        } catch {
            throw CancellationError()
        }
    }
}

/// A restriction of this machine that prevents sandboxes, with its cause and a remedy.
package struct SandboxRefusal: Error, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        /// No more namespaces may be made: the kernel says "No space left on device", but no disk is full.
        case limit = "namespace-limit"
        /// A filter of system calls, such as a container's, forbids user namespaces.
        case seccomp
        /// AppArmor forbids user namespaces, or the privileges in them, to programs that have no profile.
        case appArmor = "apparmor"
        /// User namespaces are switched off for all users except root.
        case switchedOff = "unprivileged-userns-clone"
        /// The kernel has been built without a namespace that is needed.
        case notBuilt = "no-namespaces"
        /// Something else forbids user namespaces.
        case forbidden
        /// There is no /dev/net/tun, or no driver behind it.
        case noTUN = "no-tun"
        /// /dev/net/tun may not be opened.
        case tunMode = "tun-mode"
        /// The kernel has no cables (veth) between networks.
        case noCables = "no-veth"
        /// The kernel has no packet sockets.
        case noPacketSockets = "no-packet-sockets"
        /// Networks may not be administered in the user namespace.
        case noNetworkAdministration = "no-cap-net-admin"
    }

    package let kind: Kind
    /// The attempted action, as it follows "could not".
    package let attempted: String
    /// The error that the system reported.
    package let error: Errno
    /// The cause, as a clause.
    package let cause: String
    /// The remedy, as a sentence without its full stop.
    package let remedy: String

    package var description: String {
        "A sandbox could not \(attempted): \(cause). (The system says: \(error).) \(remedy)."
    }
}

extension SandboxRefusal {
    /// The refusal for an answer of the kernel at a stage; `nil` if the answer does not mean that the machine forbids
    /// it.
    init?(_ stage: SandboxStage, _ error: Errno, readings: SandboxReadings) {
        let kind: Kind
        switch (stage, error) {
        case (.clone, .noSpace), (.clone, .tooManyUsers), (.network, .noSpace): kind = .limit
        case (.clone, .invalidArgument), (.clone, .noFunction): kind = .notBuilt
        case (.clone, .notPermitted), (.clone, .permissionDenied): kind = Self.whoForbids(readings)
        case (.tunOpen, .noSuchFileOrDirectory), (.tunOpen, .operationNotSupportedByDevice),
            (.tunOpen, .noSuchAddressOrDevice):
            kind = .noTUN
        case (.tunOpen, .permissionDenied), (.tunOpen, .notPermitted): kind = .tunMode
        case (.cable, .notSupported): kind = .noCables
        case (.watch, .addressFamilyNotSupported): kind = .noPacketSockets
        case (.maps, .notPermitted), (.maps, .permissionDenied), (.scratch, .permissionDenied),
            (.scratch, .notPermitted):
            kind = Self.restricts(readings) ? .appArmor : .forbidden
        case (let stage, .notPermitted) where Self.administers(stage),
            (let stage, .permissionDenied) where Self.administers(stage):
            kind = Self.restricts(readings) ? .appArmor : .noNetworkAdministration
        default: return nil
        }
        let (cause, remedy) = kind.explained(error, readings)
        self.init(kind: kind, attempted: stage.attempted, error: error, cause: cause, remedy: remedy)
    }

    /// The reason for EPERM at a new user namespace, the most specific one first.
    private static func whoForbids(_ readings: SandboxReadings) -> Kind {
        if readings.unprivilegedClone == 0, !readings.isPrivileged { return .switchedOff }
        if readings.isFiltered { return .seccomp }
        return restricts(readings) ? .appArmor : .forbidden
    }

    private static func restricts(_ readings: SandboxReadings) -> Bool {
        readings.appArmorRestriction == 1 && !readings.isPrivileged
    }

    /// Whether a stage needs CAP_NET_ADMIN, and no other privilege.
    private static func administers(_ stage: SandboxStage) -> Bool {
        [.privileges, .network, .netlink, .tunAttach, .cable, .link, .address, .route].contains(stage)
    }
}

extension SandboxRefusal.Kind {
    /// The cause and the remedy of a refusal.
    fileprivate func explained(_ error: Errno, _ readings: SandboxReadings) -> (cause: String, remedy: String) {
        switch self {
        case .limit:
            Self.explainLimit(readings)
        case .seccomp:
            (
                "a seccomp filter, as containers have it, forbids user namespaces",
                "Start the container with '--security-opt seccomp=unconfined', or with a profile that allows clone(2) and "
                    + "unshare(2) with CLONE_NEWUSER"
            )
        case .appArmor:
            (
                "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1)",
                "Allow them with 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0', or give headwind an AppArmor "
                    + "profile with 'userns,', or run as root"
            )
        case .switchedOff:
            (
                "user namespaces are switched off for all but root (kernel.unprivileged_userns_clone is 0)",
                "Switch them on with 'sudo sysctl kernel.unprivileged_userns_clone=1', or run as root"
            )
        case .notBuilt:
            (
                "this kernel does not have all of user, pid, mount, network, IPC and UTS namespaces",
                "Use a kernel with CONFIG_USER_NS, CONFIG_PID_NS, CONFIG_NET_NS, CONFIG_IPC_NS and CONFIG_UTS_NS"
            )
        case .forbidden:
            (
                "the kernel or a security module forbids user namespaces to this process, as in a chroot(2), or its "
                    + "container has no more user IDs",
                "Run outside of the chroot or the container, or look for the refusal with 'dmesg'"
            )
        case .noTUN, .tunMode:
            Self.explainTUN(error, readings)
        case .noCables:
            (
                "this kernel has no veth interfaces, which join a router to the networks of client and host",
                "Load them with 'sudo modprobe veth', outside of a container, or use a kernel with CONFIG_VETH"
            )
        case .noPacketSockets:
            (
                "this kernel has no packet sockets, which count the link's packets",
                "Load them with 'sudo modprobe af_packet', outside of a container, or use a kernel with CONFIG_PACKET"
            )
        case .noNetworkAdministration:
            (
                "CAP_NET_ADMIN is missing in the sandbox's own user namespace: a security module, a filter, "
                    + "or file capabilities on headwind-init or headwind-sandbox remove it",
                "Look for the refusal with 'dmesg', remove file capabilities with 'setcap -r', or run outside of the container"
            )
        }
    }

    private static func explainLimit(_ readings: SandboxReadings) -> (cause: String, remedy: String) {
        let limits = SandboxReadings.limits.compactMap { name in readings.namespaceLimits[name].map { (name, $0) } }
        // A sandbox needs three network namespaces, and one of each other kind.
        let tight = limits.filter { $0.1 < ($0.0 == "max_net_namespaces" ? 3 : 1) }
        let (name, value) = tight.first ?? ("max_user_namespaces", readings.namespaceLimits["max_user_namespaces"] ?? 0)
        let what = "this is not a full disk: /proc/sys/user/\(name) "
        guard tight.isEmpty else {
            return (
                what + "limits namespaces to \(value)",
                "Raise the limit with 'sudo sysctl user.\(name)=10000'; for a container, do it outside"
            )
        }
        return (
            what + "and similar settings, here or in an outer container, limit namespaces, and all are in use",
            "Run fewer sandboxes at once, or raise the limits that 'sysctl user' shows; for a container, do it outside"
        )
    }

    private static func explainTUN(_ error: Errno, _ readings: SandboxReadings) -> (cause: String, remedy: String) {
        guard error == .notPermitted || error == .permissionDenied else {
            return (
                error == .noSuchFileOrDirectory
                    ? "there is no /dev/net/tun here" : "/dev/net/tun exists, but its driver is missing",
                "Load the driver with 'sudo modprobe tun'; give a container the device with '--device /dev/net/tun'"
            )
        }
        if error == .notPermitted {
            return (
                "the control group of this container does not allow the TUN device",
                "Give the device to the container with '--device /dev/net/tun'"
            )
        }
        var mode = ""
        if case .present(let bits) = readings.tun {
            let digits = String(bits, radix: 8)
            mode = " (its mode is \(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits))"
        }
        return (
            "this user may not open /dev/net/tun\(mode)",
            "Allow it with 'sudo chmod 0666 /dev/net/tun', and permanently with a udev rule: 'KERNEL==\"tun\", MODE=\"0666\"' in "
                + "/etc/udev/rules.d/90-tun.rules; a TUN device gives no rights over the machine's own networks"
        )
    }
}
