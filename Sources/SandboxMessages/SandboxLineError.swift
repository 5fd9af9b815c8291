/// Why a line of the protocol is refused.
package enum SandboxLineError: Error, Equatable, CustomStringConvertible {
    case unknownVersion(Int)
    case malformed(start: String)
    case tooLong
    /// It says that more descriptors go with it than came.
    case descriptorsMissing

    package var description: String {
        switch self {
        case .unknownVersion(let version):
            "A message of a sandbox has version \(version), but only \(SandboxProtocol.version) is understood. headwind and "
                + "headwind-sandbox are of different builds: build both again with 'swift build'."
        case .malformed(let start):
            "A message of a sandbox cannot be understood: \(String(reflecting: start)) …"
        case .tooLong:
            "A message of a sandbox is longer than \(SandboxProtocol.longestLine) bytes."
        case .descriptorsMissing:
            "A message of a sandbox came without its descriptors."
        }
    }
}
