import PackFormat
import Results
package import SystemPackage
import Wording

/// Why a bundle cannot be played.
package enum BundleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It, or something in it, is not what bundles have there.
    case refused(FilePath, reason: String)
    /// A file of it does not say what it should.
    case malformed(String, reason: String)
    /// Another version wrote this file of it.
    case unknownSchema(String, Int)
    /// It was made by somebody else, or changed since.
    case untrusted(command: [String])
    /// Secrets are left out of it without which the client would do something else.
    case incomplete([String])
    /// Its client takes headwind-client's command line, and no command of a scenario can take the place of that.
    case notACommand
    /// Its client is a command of its scenario, and nothing that takes headwind-client's command line can take the place of that.
    case notARequest

    package var description: String {
        switch self {
        case .refused(let path, let reason): "'\(path)' is not a bundle that can be played: \(reason)."
        case .malformed(let file, let reason):
            "Could not read '\(file)' of the bundle: \(reason.withoutFullStop). Take another copy of the bundle, or run the scenario again."
        case .unknownSchema(let file, let version):
            "Could not read '\(file)' of the bundle: "
                + (version > BundleRecord.currentSchema ? "a later Headwind wrote it, " : "")
                + "its schema version is \(version), and this Headwind reads version \(BundleRecord.currentSchema). "
                + "Play it with the version of Headwind that wrote it, which is in 'tool_version'."
        case .untrusted(let command):
            "The bundle was made by another user, on another machine, or has been changed since. It would run: "
                + "\(ShellWords.quoted(command)). Read its scenario.yaml, then give --trust to run it."
        case .incomplete(let keys):
            "Secrets were left out of the bundle's \(keys.map { "'\($0)'" }.joined(separator: ", ")), and so it is not "
                + "what failed. "
                + (keys == ["workload"]
                    ? "Give the client's command again: headwind replay BUNDLE -- CMD."
                    : "Run the scenario again, from its own file.")
        case .notACommand:
            "The bundle's client takes headwind-client's command line, and no command with placeholders can take its place. "
                + "Leave CMD out, or name a program that takes that command line by --client."
        case .notARequest:
            "The bundle's client is a command of its scenario, and --client is for what takes headwind-client's command line. "
                + "Give another command behind '--'."
        }
    }
}
