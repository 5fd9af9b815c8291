import CLinux
import FoundationEssentials

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

/// The field that a line of each version has.
private struct Version: Decodable {
    let v: Int
}

/// Encodes and decodes lines of the protocol.
package enum SandboxLine {
    /// A message as the bytes of a line, with its end.
    package static func encode(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(message) else {
            preconditionFailure("a message of the sandbox's protocol cannot be written as JSON")
        }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Reads a line.
    ///
    /// Throws `SandboxLineError` if it is not a message of this version.
    package static func decode<Message: Decodable>(
        _ type: Message.Type, from line: some Collection<UInt8>
    ) throws(SandboxLineError) -> Message {
        let data = Data(line)
        let decoder = JSONDecoder()
        guard let version = try? decoder.decode(Version.self, from: data) else {
            throw .malformed(start: excerpt(line))
        }
        guard version.v == SandboxProtocol.version else { throw .unknownVersion(version.v) }
        guard let message = try? decoder.decode(type, from: data) else { throw .malformed(start: excerpt(line)) }
        return message
    }

    private static func excerpt(_ line: some Collection<UInt8>) -> String {
        String(decoding: line.prefix(60), as: UTF8.self)
    }
}

/// The reason why a line of the protocol is refused.
package enum SandboxLineError: Error, Equatable, CustomStringConvertible {
    case unknownVersion(Int)
    case malformed(start: String)
    case tooLong
    /// The line announces more descriptors than came with it.
    case descriptorsMissing

    package var description: String {
        switch self {
        case .unknownVersion(let version):
            "A message of a sandbox has version \(version), but this Headwind reads only \(SandboxProtocol.version). headwind and "
                + "headwind-sandbox come from different builds: build both again with 'swift build'."
        case .malformed(let start):
            "Could not read a message of a sandbox: \(String(reflecting: start)) …"
        case .tooLong:
            "A message of a sandbox is longer than \(SandboxProtocol.longestLine) bytes."
        case .descriptorsMissing:
            "A message of a sandbox came without its descriptors."
        }
    }
}
