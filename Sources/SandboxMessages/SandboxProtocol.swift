import CLinux

/// The protocol between a harness and the program `headwind-sandbox`: JSON Lines over a Unix socket.
///
/// See docs/explanation/sandboxes.md. Each line has a version, and a peer refuses a line of an unknown version.
package enum SandboxProtocol {
    /// The version of the protocol.
    package static let version = 1
    /// The longest line in bytes with its end, 4 MiB: arguments and environment of a program fit (`ARG_MAX` is 2 MiB).
    package static let longestLine = 4 << 20
    /// The most descriptors of one line: SCM_MAX_FD of the kernel, see unix(7).
    package static let mostDescriptors = Int(HEADWIND_MOST_DESCRIPTORS)
}
