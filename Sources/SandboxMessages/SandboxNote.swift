import Glibc

/// A feature that a sandbox lacks on this machine; it is no error.
package struct SandboxNote: Codable, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// /proc could not be mounted, because parts of the existing one are masked, as in many containers.
        ///
        /// Programs see the processes outside the sandbox, with their numbers there.
        case maskedProc = "masked-proc"
        /// A setting under /proc/sys/net could not be changed.
        case setting
        /// A name service file could not be replaced.
        case names
        /// The kernel has no IPv6, or the MTU is too small for it.
        case noIPv6 = "no-ipv6"
        /// Set-user-ID bits and file capabilities could not be switched off.
        case setuid
        /// Programs of root could change settings of the whole machine, under /proc/sys.
        case writableSettings = "writable-settings"
    }

    package var kind: Kind
    /// The object that it is about, such as a file.
    package var detail: String
    /// The error number, see errno(3).
    package var code: Int32

    package init(_ kind: Kind, _ detail: String, code: Int32) {
        self.kind = kind
        self.detail = detail
        self.code = code
    }
}

extension SandboxNote {
    /// A sentence about the reason, and the effect on programs in the sandbox.
    package var description: String {
        switch kind {
        case .maskedProc:
            "/proc could not be mounted in the sandbox (\(reason)), because this container masks parts of its own /proc: programs "
                + "see the processes outside. To change that, start the container with "
                + "'--security-opt systempaths=unconfined'."
        case .setting:
            "\(detail) could not be set in the sandbox (\(reason)): the kernel's own value applies."
        case .names:
            "\(detail) could not be replaced in the sandbox (\(reason)): programs may look up names as they do outside."
        case .noIPv6:
            "The sandbox has no IPv6: \(detail) (\(reason))."
        case .setuid:
            "Set-user-ID bits could not be switched off in the sandbox (\(reason)): programs such as ping may not start."
        case .writableSettings:
            "/proc/sys could not be made read-only in the sandbox (\(reason)): root's programs may change settings of the machine."
        }
    }

    private var reason: String {
        unsafe String(cString: strerror(code))
    }
}
