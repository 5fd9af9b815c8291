import CLinux
import Glibc
import LinuxSupport
import SandboxMessages
import SystemPackage

/// The files that configure name lookups in the C library.
///
/// The sandbox replaces them, so that all lookups go to its resolver.
enum NameServiceFiles {
    /// Writes the files into `directory`, and mounts them over those of the machine.
    ///
    /// It skips files that the machine does not have. A file that it cannot replace becomes a note.
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
        // A name service daemon would look up names outside.
        for socket in ["/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve"] {
            if unsafe access(socket, F_OK) == 0 { mount("/dev/null", over: socket, notes: &notes) }
        }
    }

    private static let address = Network.hostIPv4.map(String.init).joined(separator: ".")

    /// A hosts file with this machine's own names: the resolver answers for all others.
    private static var hosts: String {
        var name = [CChar](repeating: 0, count: 256)
        let isKnown = unsafe gethostname(&name, name.count - 1) == 0
        let own = isKnown ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
        return "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n"
            + (own.isEmpty || own == "localhost" ? "" : "127.0.1.1 \(own)\n")
    }

    /// The machine's nsswitch.conf(5), except for hosts: a service outside must not answer for them.
    private static var switchFile: String? {
        guard let lines = lines(of: "/etc/nsswitch.conf") else { return nil }
        return lines.filter { !$0.hasPrefix("hosts:") }.joined(separator: "\n") + "\nhosts: files dns\n"
    }

    /// The machine's resolv.conf(5), with another name server.
    private static func resolverFile(_ outside: SandboxOutside) -> String {
        let kept = (lines(of: "/etc/resolv.conf") ?? []).filter { !$0.hasPrefix("nameserver") && !$0.isEmpty }
        return (kept + ["nameserver \(outside.nameServer)"]).joined(separator: "\n") + "\n"
    }

    /// The machine's hosts(5), with the machine's name and the names that the harness resolves itself.
    private static func hostsFile(_ outside: SandboxOutside) -> String {
        let resolved = (outside.resolved ?? [:]).sorted { $0.key < $1.key }
        let names = Set(resolved.map { $0.key.lowercased() })
        let kept = (lines(of: "/etc/hosts") ?? [Substring(hosts)]).compactMap { line($0, without: names) }
        let own = resolved.map { "\($0.value) \($0.key)" }
        return (own + kept + ["\(outside.address) \(outside.hostName)"]).joined(separator: "\n") + "\n"
    }

    /// A line without the given names; `nil` if none remains.
    private static func line(_ line: Substring, without names: Set<String>) -> String? {
        if names.isEmpty { return line.isEmpty ? nil : String(line) }
        let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
        let kept = words.dropFirst().filter { !names.contains($0.lowercased()) }
        return kept.isEmpty ? nil : (words.prefix(1) + kept).joined(separator: " ")
    }

    private static func lines(of path: FilePath) -> [Substring]? {
        BoundedFile.text(path, most: 1 << 20)?.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func mount(_ source: FilePath, over path: String, notes: inout [SandboxNote]) {
        if unsafe headwind_mount(source.string, path, nil, MountFlags.bind, nil) != 0 {
            notes.append(SandboxNote(.names, path, code: errno))
        }
    }
}
