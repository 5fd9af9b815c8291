/// What a command may be told, written `{url}` in a scenario.
package enum Placeholder: String, CaseIterable, Sendable {
    /// The URL of the pack that the command's `pack` names.
    case url
    /// The URL of the manifest.
    case manifest
    /// The SHA-256 of the pack that the command's `pack` names, in 64 hexadecimal digits; empty where nobody knows it.
    case digest
    /// The file to write, named after the command's pack, in a folder of the attempt's own.
    case output
    /// The URL of the proxy through which the link leads.
    case proxy
    /// The file with the certificate of the run's own authority.
    case ca
    /// A file with the header fields that the host wants, one `Name: value` a line; empty where it wants none.
    case headers

    /// The environment variable that tells a command the same: `HEADWIND_URL`.
    package var variable: String { "HEADWIND_\(rawValue.uppercased())" }
}
