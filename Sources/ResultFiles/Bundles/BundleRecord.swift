import Documents
import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
package import Results
import SystemPackage

/// `bundle.json`: everything about a failure that is not in the bundle's text files.
package struct BundleRecord: Hashable, Sendable, Codable {
    /// The version that is written, and the only one that can be read; see `docs/how-to/replay.md`.
    package static let currentSchema = 1
    package static let fileName = "bundle.json"

    package var schema: Int
    package var toolVersion: String
    /// The command that replays the failure.
    package var command: String
    /// When it was made: RFC 3339, in UTC.
    package var madeAt: String
    /// Identifies its maker, see ``BundleOrigin``; nil if unknown.
    package var origin: String?
    package var cell: String
    package var title: String
    package var attempt: Int
    package var backend: String
    package var seed: Seed
    package var failure: FailureFingerprint
    /// What was broken, in sentences.
    package var sentences: [String]
    package var schedule: ScheduleFacts
    package var client: Client
    package var content: Content
    package var host: HostFacts
    /// The keys that were left out of the scenario because they held secrets; without them it behaves differently.
    package var leftOut: [String]

    /// The client that failed.
    package struct Client: Hashable, Sendable, Codable {
        /// The program and its arguments, without secrets; for the built-in client only the program.
        package var command: [String]
        package var isBuiltIn: Bool
        /// The program, and the files that its arguments name.
        package var files: [File]

        private enum CodingKeys: String, SnakeCaseKey { case command, files, isBuiltIn }
    }

    /// What was downloaded.
    package struct Content: Hashable, Sendable, Codable {
        /// Where it is from: the name of a catalog, or a path or address.
        package var source: String
        /// Whether the packs are in the bundle.
        package var isCopied: Bool
        /// Every pack, named by its identifier; empty for another party's host.
        package var packs: [File]

        private enum CodingKeys: String, SnakeCaseKey { case source, packs, isCopied }
    }

    /// A named file, with its size and digest.
    package struct File: Hashable, Sendable, Codable {
        package var name: String
        package var sizeBytes: Int64
        package var sha256: String

        private enum CodingKeys: String, SnakeCaseKey { case name, sha256, sizeBytes }
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case command, origin, cell, title, attempt, backend, seed, failure, sentences, schedule, client, content, host
        case schema = "schema_version"
        case toolVersion, madeAt, leftOut
    }
}

extension BundleRecord {
    /// Reads the output of `jsonText()`; ignores unknown keys.
    ///
    /// `file` is the name in errors. Throws
    /// ``BundleError/unknownSchema(_:_:)`` and ``BundleError/malformed(_:reason:)``.
    init(json: Data, file: String = Self.fileName) throws(BundleError) {
        do {
            let schema = try JSONDecoder().decode(SchemaVersion.self, from: json).version
            guard schema == Self.currentSchema else { throw BundleError.unknownSchema(file, schema) }
            self = try JSONDecoder().decode(Self.self, from: json)
        } catch let error as BundleError {
            throw error
        } catch {
            throw .malformed(file, reason: error.decodingReason(in: json))
        }
    }
}

/// Identifies the maker of a bundle.
///
/// A bundle that this user made on this machine, and whose scenario is unchanged, may run its command without
/// `--trust`.
///
/// It is a hash of the machine's identifier (machine-id(5)), the user and the scenario's text. It cannot be made
/// without the identifier, and one seen elsewhere fits only its own text. This prevents a foreign bundle from running
/// by mistake. It does not protect users of one machine from each other: for that, the owner of the files is checked.
enum BundleOrigin {
    /// The hash for a scenario's text, and for the program that replaced headwind-client, if any.
    ///
    /// Nil if the machine has no identifier.
    static func of(scenario: [UInt8], client: String? = nil) -> String? {
        for file in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let bytes = try? BoundedFile.read(FilePath(file), most: 64), bytes.count >= 32 else { continue }
            let text = "headwind bundle\n\(String(decoding: bytes.prefix(32), as: UTF8.self))\n\(getuid())\n"
            return Digest.sha256Hex(Array((text + (client.map { "client \($0)\n" } ?? "")).utf8) + scenario)
        }
        return nil
    }
}
