import Glibc

/// What a sandbox had to go on without; it is no error.
package struct SandboxNote: Codable, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// /proc could not be mounted, because parts of the one that is there are covered, as in many containers.
        ///
        /// Programs see the processes outside, under their numbers outside.
        case maskedProc = "masked-proc"
        /// A setting under /proc/sys/net could not be made.
        case setting
        /// A name service file could not be replaced.
        case names
        /// The kernel has no IPv6, or the MTU is too small for it.
        case noIPv6 = "no-ipv6"
        /// Set-user-ID bits and file capabilities could not be switched off.
        case setuid
        /// Programs of root's could change settings of the whole machine, under /proc/sys.
        case writableSettings = "writable-settings"
    }

    package var kind: Kind
    /// On what.
    package var detail: String
    /// The `errno`.
    package var code: Int32

    package init(_ kind: Kind, _ detail: String, code: Int32) {
        self.kind = kind
        self.detail = detail
        self.code = code
    }
}

extension SandboxNote {
    /// One sentence, with what it means for a client.
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
