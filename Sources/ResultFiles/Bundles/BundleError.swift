import PackFormat
import Results
package import SystemPackage
import Wording

/// Why a bundle cannot be replayed.
package enum BundleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder, or a file in it, is not what a bundle has there.
    case refused(FilePath, reason: String)
    /// A file of the bundle is malformed.
    case malformed(String, reason: String)
    /// Another version of Headwind wrote this file of the bundle.
    case unknownSchema(String, Int)
    /// Another user or another machine made the bundle, or it was changed since.
    case untrusted(command: [String])
    /// The bundle lacks secrets without which the client would behave differently.
    case incomplete([String])
    /// The bundle's client takes headwind-client's command line, so no command of a scenario can replace it.
    case notACommand
    /// The bundle's client is a command of its scenario, so no program with headwind-client's command line can replace
    /// it.
    case notARequest

    package var description: String {
        switch self {
        case .refused(let path, let reason): "Could not replay '\(path)': \(reason)."
        case .malformed(let file, let reason):
            "Could not read '\(file)' of the bundle: \(reason.withoutFullStop). Take another copy of the bundle, or run the scenario again."
        case .unknownSchema(let file, let version):
            "Could not read '\(file)' of the bundle: "
                + (version > BundleRecord.currentSchema ? "a later Headwind wrote it; " : "")
                + "its schema version is \(version), and this Headwind reads version \(BundleRecord.currentSchema). "
                + "Replay it with the version of Headwind that wrote it, which is in 'tool_version'."
        case .untrusted(let command):
            "The bundle was made by another user, on another machine, or has been changed since. It would run: "
                + "\(ShellWords.quoted(command)). Read its scenario.yaml, then replay it with --trust."
        case .incomplete(let keys):
            "Secrets were left out of the bundle's \(keys.map { "'\($0)'" }.joined(separator: ", ")), so it cannot "
                + "show the failure. "
                + (keys == ["workload"]
                    ? "Give the client's command again: headwind replay BUNDLE -- CMD."
                    : "Run the scenario again, from its own file.")
        case .notACommand:
            "The bundle's client takes headwind-client's command line, so no command with placeholders can replace it. "
                + "Leave out CMD, or name a program that takes that command line by --client."
        case .notARequest:
            "The bundle's client is a command of its scenario, but --client names a program that takes headwind-client's command line. "
                + "Give another command after '--'."
        }
    }
}
