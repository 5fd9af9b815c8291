import Testbed

/// Words that several sentences need.
enum ExecText {
    static let host = SandboxAddresses.outside.hostName
}
