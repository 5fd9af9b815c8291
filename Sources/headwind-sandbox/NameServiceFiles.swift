import CLinux
import Glibc
import SandboxMessages
import SystemPackage

/// What the C library looks up names by: replaced inside the sandbox, so that all go to the sandbox's resolver.
enum NameServiceFiles {
    /// Writes them into `directory` and mounts them over those of the machine.
    ///
    /// A file that the machine does not have is not needed; what cannot be replaced becomes a note.
    static func replace(in directory: FilePath, outside: SandboxOutside?, notes: inout [SandboxNote]) {
        guard unsafe mkdir(directory.string, 0o755) == 0 else {
            notes.append(SandboxNote(.names, "/etc/resolv.conf", code: errno))
            return
        }
        let files = [
            (
                "/etc/resolv.conf",
                outside.map(resolverFile) ?? "nameserver \(address)\noptions timeout:5 attempts:2\n"
            ),
            ("/etc/hosts", outside.map(hostsFile) ?? hosts),
            ("/etc/nsswitch.conf", switchFile),
        ]
        for (path, text) in files {
            guard let text else { continue }
            let source = directory.appending(FilePath(path).lastComponent?.string ?? "file")
            do {
                let file = try FileDescriptor.open(
                    source, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: [.ownerReadWrite, .groupRead, .otherRead])
                try file.closeAfter { _ = try file.writeAll(text.utf8) }
            } catch {
                notes.append(SandboxNote(.names, path, code: (error as? Errno ?? .ioError).rawValue))
                continue
            }
            mount(source, over: path, notes: &notes)
        }
        // A name service daemon would look names up outside.
        for socket in ["/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve"] {
            if unsafe access(socket, F_OK) == 0 { mount("/dev/null", over: socket, notes: &notes) }
        }
    }

    private static let address = Network.hostIPv4.map(String.init).joined(separator: ".")

    /// The names of this machine alone: all others are the resolver's.
    private static var hosts: String {
        var name = [CChar](repeating: 0, count: 256)
        let isKnown = unsafe gethostname(&name, name.count - 1) == 0
        let own = isKnown ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
        return "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n"
            + (own.isEmpty || own == "localhost" ? "" : "127.0.1.1 \(own)\n")
    }

    /// The machine's own, but for hosts, which must not come from a service outside.
    ///
    /// See nsswitch.conf(5).
    private static var switchFile: String? {
        guard let lines = lines(of: "/etc/nsswitch.conf") else { return nil }
        return lines.filter { !$0.hasPrefix("hosts:") }.joined(separator: "\n") + "\nhosts: files dns\n"
    }

    /// The machine's own, but for who answers.
    ///
    /// See resolv.conf(5).
    private static func resolverFile(_ outside: SandboxOutside) -> String {
        let kept = (lines(of: "/etc/resolv.conf") ?? []).filter { !$0.hasPrefix("nameserver") && !$0.isEmpty }
        return (kept + ["nameserver \(outside.nameServer)"]).joined(separator: "\n") + "\n"
    }

    /// The machine's own, the machine itself, and names that the harness knows better.
    ///
    /// See hosts(5).
    private static func hostsFile(_ outside: SandboxOutside) -> String {
        let resolved = (outside.resolved ?? [:]).sorted { $0.key < $1.key }
        let names = Set(resolved.map { $0.key.lowercased() })
        let kept = (lines(of: "/etc/hosts") ?? [Substring(hosts)]).compactMap { line($0, without: names) }
        let own = resolved.map { "\($0.value) \($0.key)" }
        return (own + kept + ["\(outside.address) \(outside.hostName)"]).joined(separator: "\n") + "\n"
    }

    /// A line without some names; `nil` where it is left with none.
    private static func line(_ line: Substring, without names: Set<String>) -> String? {
        if names.isEmpty { return line.isEmpty ? nil : String(line) }
        let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
        let kept = words.dropFirst().filter { !names.contains($0.lowercased()) }
        return kept.isEmpty ? nil : (words.prefix(1) + kept).joined(separator: " ")
    }

    private static func lines(of path: FilePath) -> [Substring]? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while text.count < 1 << 20,
            let count = try? unsafe bytes.withUnsafeMutableBytes({ try unsafe file.read(into: $0) }), count > 0
        {
            text += bytes[..<count]
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func mount(_ source: FilePath, over path: String, notes: inout [SandboxNote]) {
        if unsafe headwind_mount(source.string, path, nil, MountFlags.bind, nil) != 0 {
            notes.append(SandboxNote(.names, path, code: errno))
        }
    }
}
