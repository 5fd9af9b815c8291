import FoundationEssentials
import Glibc
package import KernelLink
import LinuxSupport

/// The SSH sessions through which the user may have come here, as far as this can be known.
///
/// They are in SSH_CONNECTION and SSH_CLIENT of this process and of its ancestors, because sudo(8) removes these
/// variables; and they are the connections of an SSH server among the ancestors.
package enum SecureShell {
    package typealias Connection = InterfaceLinks.Connection

    static func connections() -> [Connection] {
        var found: [Connection] = []
        var process = getpid()
        var seen: Set<Int32> = []
        while process > 0, seen.insert(process).inserted {
            let told = variables(of: process).compactMap(connection(told:))
            let open = isServer(process) ? established(of: process) : []
            for connection in told + open where !found.contains(connection) { found.append(connection) }
            process = parent(of: process) ?? 0
        }
        return found
    }

    /// Reads `CLIENT CLIENT-PORT SERVER SERVER-PORT`, or the same without the server's address; nil for other texts.
    package static func connection(told text: String) -> Connection? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3 || words.count == 4 else { return nil }
        let parts = words[0].split(separator: "%", maxSplits: 1).map(String.init)
        guard let name = parts.first, let peer = InternetAddress(parsing: name), let peerPort = UInt16(words[1]),
            let localPort = UInt16(words[words.count - 1])
        else { return nil }
        let local = words.count == 4 ? words[2].split(separator: "%").first.map(String.init) : nil
        return Connection(
            peer: peer, peerPort: peerPort, local: local.flatMap(InternetAddress.init(parsing:)), localPort: localPort,
            scope: parts.count == 2 ? parts[1] : nil)
    }

    /// Reads an open connection and the number of its socket from a line of /proc/net/tcp or tcp6; nil for other lines.
    package static func established(line: some StringProtocol) -> (Connection, socket: String)? {
        let words = line.split(separator: " ")
        guard words.count > 9, words[3] == "01", let local = end(words[1]), let peer = end(words[2]) else { return nil }
        let connection = Connection(
            peer: peer.address, peerPort: peer.port, local: local.address, localPort: local.port)
        return (connection, String(words[9]))
    }

    /// Reads an address and a port: words of 32 bits in this machine's byte order, and a number, all hexadecimal.
    private static func end(_ text: some StringProtocol) -> (address: InternetAddress, port: UInt16)? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1], radix: 16), [8, 32].contains(parts[0].count) else {
            return nil
        }
        var bytes: [UInt8] = []
        var rest = parts[0][...]
        while !rest.isEmpty {
            guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
            unsafe withUnsafeBytes(of: word) { unsafe bytes += $0 }
            rest = rest.dropFirst(8)
        }
        return (InternetAddress(bytes), port)
    }

    private static func variables(of process: Int32) -> [String] {
        let all = ProcessFiles.bytes("\(process)/environ")?.split(separator: 0) ?? []
        return all.compactMap { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            return ["SSH_CONNECTION=", "SSH_CLIENT="].first { text.hasPrefix($0) }.map {
                String(text.dropFirst($0.count))
            }
        }
    }

    private static func isServer(_ process: Int32) -> Bool {
        let name = ProcessFiles.text("\(process)/comm") ?? ""
        return ["sshd", "dropbear"].contains { name.hasPrefix($0) }
    }

    private static func established(of process: Int32) -> [Connection] {
        // Connections of a process in another network do not pass the interfaces of this one.
        guard ProcessFiles.link("self/ns/net") == ProcessFiles.link("\(process)/ns/net") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
        let sockets = Set(
            names.compactMap { name -> String? in
                guard let target = ProcessFiles.link("\(process)/fd/\(name)"), target.hasPrefix("socket:[") else {
                    return nil
                }
                return String(target.dropFirst("socket:[".count).dropLast())
            })
        let lines = ["tcp", "tcp6"].flatMap { kind in
            (ProcessFiles.text("\(process)/net/\(kind)") ?? "").split(separator: "\n").map(String.init)
        }
        return lines.compactMap { established(line: $0) }.filter { sockets.contains($0.socket) }.map(\.0)
    }

    private static func parent(of process: Int32) -> Int32? {
        guard let fields = ProcessFiles.fields(of: process), fields.count > 1 else { return nil }
        return Int32(fields[1])
    }
}
