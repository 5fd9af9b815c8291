import LinuxSupport
import SystemPackage
import Wording

/// The options of the hosts, from `--engine-option`.
struct SSHOptions: Hashable, Sendable {
    /// The hosts as arguments of ssh(1): `lab1`, `user@lab2`.
    var hosts: [String] = []
    /// The configuration file for ssh's -F; nil: the user's own.
    var configuration: String?
    /// The path of `headwind` on the hosts; nil: this one is copied there.
    var headwind: String?
    /// The folder on the hosts, absolute or relative to the user's home there (default: `.cache/headwind`).
    var folder = ".cache/headwind"
    /// Files and folders to copy besides those that scenarios name.
    var files: [String] = []

    private static let names = "host=LOGIN, hosts=FILE, config=FILE, headwind=PATH, folder=PATH and send=PATH"
    private static let mostBytes = 1 << 20
    private static let mostHosts = 1000

    /// Reads options; throws ``EngineError/option(_:reason:)``.
    init(_ texts: [String]) throws {
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw EngineError.option(text, reason: "ssh has the options \(Self.names).")
            }
            switch parts[0] {
            case "host": hosts.append(try Self.host(parts[1], in: text))
            case "hosts": hosts += try Self.hosts(in: FilePath(parts[1]), text)
            case "config": configuration = parts[1]
            case "headwind": headwind = try Self.path(parts[1], in: text)
            case "folder": folder = try Self.path(parts[1], in: text)
            case "send": files.append(parts[1])
            default: throw EngineError.option(text, reason: "ssh has the options \(Self.names).")
            }
        }
        var known = Set<String>()
        hosts.removeAll { !known.insert($0).inserted }
        guard (1...Self.mostHosts).contains(hosts.count) else {
            throw EngineError.option(
                "host", reason: "ssh needs 1 to \(Self.mostHosts) hosts. Name them, such as host=lab1, or hosts=FILE.")
        }
    }

    /// The hosts of a file in the form of GNU parallel's --sshloginfile.
    ///
    /// It has one host per line, optionally with a prefix such as `2/`, and comments.
    private static func hosts(in file: FilePath, _ option: String) throws -> [String] {
        let bytes = try BoundedFile.read(file, most: mostBytes) {
            EngineError.option(option, reason: "the file \($0). Name one with one host per line.")
        }
        return try String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(\.trimmed)
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
            .map { line in
                let parts = line.split(separator: "/", maxSplits: 1)
                let isCounted = parts.count == 2 && parts[0].allSatisfy(\.isNumber)
                return try host(isCounted ? String(parts[1]) : line, in: option)
            }
    }

    /// Checks a host, which becomes a word of a command line and of parallel's list.
    private static func host(_ text: String, in option: String) throws -> String {
        let isPlain = text.allSatisfy { $0.isPlain(or: "@.-_") }
        guard isPlain, !text.hasPrefix("-"), text.count <= 255, text != ":" else {
            throw EngineError.option(
                option,
                reason: "'\(text.onOneLine.prefix(80))' is not a host name. Write only the name, and put all else "
                    + "into ssh's configuration (ssh_config(5)).")
        }
        return text
    }

    /// Checks a path, which a shell on the hosts reads.
    private static func path(_ text: String, in option: String) throws -> String {
        let isPlain = text.allSatisfy { $0.isPlain(or: "/.-_+") }
        guard isPlain, !text.hasPrefix("-"), !FilePath(text).components.contains("..") else {
            throw EngineError.option(option, reason: "a path on the hosts has letters, digits, and / . - _ + only.")
        }
        return text
    }

    /// The arguments of ssh, except the host.
    var words: [String] {
        [
            "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=10", "-o",
            "ServerAliveCountMax=3",
        ] + (configuration.map { ["-F", $0] } ?? [])
    }

    /// The same as a command for rsync and parallel, which split it at spaces.
    var command: String { ShellWords.quoted(["ssh"] + words) }
}
