import Glibc

extension SandboxNote {
    /// One sentence, with what it means for a client.
    package var description: String {
        switch kind {
        case .maskedProc:
            "/proc could not be mounted in the sandbox (\(reason)), because this container covers parts of its own: programs "
                + "see the processes outside. To change that start the container with "
                + "'--security-opt systempaths=unconfined'."
        case .setting:
            "\(detail) could not be set in the sandbox (\(reason)): the kernel's own value holds."
        case .names:
            "\(detail) could not be replaced in the sandbox (\(reason)): names may be looked up as outside."
        case .noIPv6:
            "The sandbox has no IPv6: \(detail) (\(reason))."
        case .setuid:
            "Set-user-ID programs cannot be told to run without (\(reason)): some, such as ping, may not start."
        case .writableSettings:
            "/proc/sys could not be made read-only in the sandbox (\(reason)): programs of root's may change settings of the machine."
        }
    }

    private var reason: String {
        unsafe String(cString: strerror(code))
    }
}
