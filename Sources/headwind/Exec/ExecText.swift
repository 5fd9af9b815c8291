import Testbed

/// Words that several sentences need.
enum ExecText {
    static let host = CellAddresses.outside.hostName
}
