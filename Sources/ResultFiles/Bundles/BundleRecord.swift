import Documents
import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
package import Results
import SystemPackage

/// `bundle.json`: everything about a failure that is not in the texts beside it.
package struct BundleRecord: Hashable, Sendable, Codable {
    /// The version that is written, and the only one that is read; see `docs/how-to/replay.md`.
    package static let currentSchema = 1
    package static let fileName = "bundle.json"

    package var schema: Int
    package var toolVersion: String
    /// What to type to have the failure again.
    package var command: String
    /// RFC 3339, in UTC.
    package var madeAt: String
    /// Who made it, see ``BundleOrigin``; nil where that is unknown.
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
    /// The keys of the scenario without which it is not what it was: they held secrets.
    package var leftOut: [String]

    /// The client that failed.
    package struct Client: Hashable, Sendable, Codable {
        /// The program and its arguments, without secrets; that of the built-in client alone.
        package var command: [String]
        package var isBuiltIn: Bool
        /// The program, and the files that its arguments name.
        package var files: [File]

        private enum CodingKeys: String, CodingKey {
            case command, files
            case isBuiltIn = "built_in"
        }
    }

    /// What was downloaded.
    package struct Content: Hashable, Sendable, Codable {
        /// Where it comes from: a catalog's name, or a path or address.
        package var source: String
        /// Whether the packs are in the bundle.
        package var isCopied: Bool
        /// Every pack by its identifier; empty for a host of somebody else.
        package var packs: [File]

        private enum CodingKeys: String, CodingKey {
            case source, packs
            case isCopied = "copied"
        }
    }

    /// Bytes, by what they are called.
    package struct File: Hashable, Sendable, Codable {
        package var name: String
        package var sizeBytes: Int64
        package var sha256: String

        private enum CodingKeys: String, CodingKey {
            case name, sha256
            case sizeBytes = "size_bytes"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case command, origin, cell, title, attempt, backend, seed, failure, sentences, schedule, client, content, host
        case schema = "schema_version"
        case toolVersion = "tool_version"
        case madeAt = "made_at"
        case leftOut = "left_out"
    }
}

extension BundleRecord {
    /// The record as JSON: keys sorted, one value a line.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    private struct Schema: Decodable {
        var version: Int
        private enum CodingKeys: String, CodingKey { case version = "schema_version" }
    }

    /// Reads what ``json()`` wrote; keys that it does not know are left alone.
    ///
    /// `file` is what an error names.
    init(json: Data, file: String = Self.fileName) throws(BundleError) {
        do {
            let schema = try JSONDecoder().decode(Schema.self, from: json).version
            guard schema == Self.currentSchema else { throw BundleError.unknownSchema(file, schema) }
            self = try JSONDecoder().decode(Self.self, from: json)
        } catch let error as BundleError {
            throw error
        } catch {
            throw .malformed(file, reason: error.decodingReason(in: json))
        }
    }
}

/// Tells whose a bundle is: one that this user made on this machine, and whose scenario was not changed since, may run
/// its command without being asked for trust.
///
/// It is a hash of the machine's identifier (machine-id(5)), the user and the scenario's text. Who does not know the
/// identifier cannot make one, and having seen one does not help: it fits one text alone. This keeps a bundle from elsewhere
/// from running by mistake; it does not keep users of one machine from each other, for which the owner of the files is
/// looked at.
enum BundleOrigin {
    /// The hash for a text, and for the program in headwind-client's place, if there was one; nil where the machine has no
    /// identifier.
    static func of(scenario: [UInt8], client: String? = nil) -> String? {
        for file in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let bytes = try? BoundedFile.read(FilePath(file), most: 64), bytes.count >= 32 else { continue }
            let text = "headwind bundle\n\(String(decoding: bytes.prefix(32), as: UTF8.self))\n\(getuid())\n"
            return Digest.sha256Hex(Array((text + (client.map { "client \($0)\n" } ?? "")).utf8) + scenario)
        }
        return nil
    }
}
