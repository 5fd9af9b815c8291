import Glibc
import LinuxSupport
import SystemPackage

/// The maps of users and groups of a sandbox.
///
/// See user_namespaces(7).
enum SandboxMaps {
    /// Writes the maps of the first process of a sandbox.
    ///
    /// They map every user and group to itself if this process may do that, as root may, or else its own user and group
    /// alone.
    static func write(for processID: pid_t) throws(SandboxError) {
        let directory = FilePath("/proc/\(processID)")
        if geteuid() == 0, let users = allRanges("/proc/self/uid_map"), let groups = allRanges("/proc/self/gid_map") {
            do throws(Errno) {
                try write(groups, to: directory.appending("gid_map"))
                try write(users, to: directory.appending("uid_map"))
                return
            } catch {
                // Root may lack the capabilities, as in some containers.
                guard error == .notPermitted else { throw SandboxError(.maps, error) }
            }
        }
        do throws(Errno) {
            // Without this a program could drop a group that denies it a file.
            try write("deny", to: directory.appending("setgroups"))
            try write("\(getegid()) \(getegid()) 1\n", to: directory.appending("gid_map"))
            try write("\(geteuid()) \(geteuid()) 1\n", to: directory.appending("uid_map"))
        } catch {
            throw SandboxError(.maps, error)
        }
    }

    /// A map of all users or groups of this process, each to itself; `nil` if the file cannot be read.
    private static func allRanges(_ path: FilePath) -> String? {
        guard let text = BoundedFile.text(path) else { return nil }
        let lines = text.split(separator: "\n").map { line in
            let fields = line.split(separator: " ")
            return fields.count == 3 ? "\(fields[0]) \(fields[0]) \(fields[2])\n" : ""
        }
        return lines.joined()
    }

    /// Writes a map in one write, as the kernel requires.
    private static func write(_ text: String, to path: FilePath) throws(Errno) {
        try withErrno {
            let file = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
            defer { try? file.close() }
            _ = try file.writeAll(text.utf8)
        }
    }
}
