import CLinux

/// What a harness and the program `headwind-sandbox` say to each other: JSON Lines over a Unix socket.
///
/// See docs/explanation/sandboxes.md. Each line has a version, and a peer refuses a line of a version that it does not
/// know.
package enum SandboxProtocol {
    /// The version that is spoken here.
    package static let version = 1
    /// The longest line, in bytes with its end: arguments and environment of a program fit (`ARG_MAX` is 2 MiB).
    package static let longestLine = 4 << 20
    /// The most descriptors that go with one line: SCM_MAX_FD of the kernel, see unix(7).
    package static let mostDescriptors = Int(HEADWIND_MOST_DESCRIPTORS)
}
